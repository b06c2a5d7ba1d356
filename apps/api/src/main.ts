import { systemClock } from '@batti/kit/clock'
import { stopOnSignals } from '@batti/kit/node/stop-on-signals'
import { readConfig } from './platform/config.ts'
import { createLogger, logUncaught } from './platform/log/log.ts'
import { startApi, whyNotStarted } from './start.ts'

try {
  const config = readConfig()
  const log = createLogger(config)
  logUncaught(log)

  const api = await startApi({ config, clock: systemClock, log })

  stopOnSignals({
    drainMs: config.DRAIN_MS,
    say: (signal) => log.info({ signal, drainMs: config.DRAIN_MS }, 'stopping'),
    async stop() {
      await api.drain()
      await api.stop()
    }
  })
} catch (error) {
  process.stderr.write(`${whyNotStarted(error)}\n`)
  process.exit(1)
}
