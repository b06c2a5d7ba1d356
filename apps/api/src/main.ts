import { systemClock } from '@batti/kit/clock'
import { stopOnSignals } from '@batti/kit/node/stop-on-signals'
import { readConfig } from './platform/config.ts'
import { createLogger } from './platform/log/log.ts'
import { startApi, whyNotStarted } from './start.ts'

try {
  const config = readConfig()
  const log = createLogger(config)

  process.on('unhandledRejection', (error) => log.error({ err: error }, 'a rejection was not handled'))
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'an exception was not caught')
    process.exit(1)
  })

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
