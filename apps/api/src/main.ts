import { systemClock } from '@batti/kit/clock'
import { readConfig } from './platform/config.ts'
import { createLogger } from './platform/log/log.ts'
import { startApi, whyNotStarted } from './start.ts'

/** How long a stop may take, after the drain, before the process ends itself. */
const stopWithinMs = 9000

try {
  const config = readConfig()
  const log = createLogger(config)

  process.on('unhandledRejection', (error) => log.error({ err: error }, 'a rejection was not handled'))
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'an exception was not caught')
    process.exit(1)
  })

  const api = await startApi({ config, clock: systemClock, log })

  let isStopping = false
  let terms = 0
  const stop = async (signal: string): Promise<void> => {
    // Whoever asks twice does not want to wait; Ctrl+C reaches every part once by itself, and once more from the launcher.
    if (signal === 'SIGTERM' && (terms += 1) === 2) process.exit(1)
    if (isStopping) return
    isStopping = true
    log.info({ signal, drainMs: config.DRAIN_MS }, 'stopping')
    setTimeout(() => process.exit(1), config.DRAIN_MS + stopWithinMs).unref()
    await api.drain()
    await api.stop()
    process.exit(0)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal))
} catch (error) {
  process.stderr.write(`${whyNotStarted(error)}\n`)
  process.exit(1)
}
