import type { Server } from 'node:http'
import { systemClock } from '@batti/kit/clock'
import { compose } from './compose.ts'
import { ConfigError, readConfig, type Config } from './platform/config.ts'
import { createLogger } from './platform/log/log.ts'

/** How long a stop may take, after the drain, before the process ends itself. */
const stopWithinMs = 9000

const config = readConfigOrExit()
const log = createLogger(config)

process.on('unhandledRejection', (error) => log.error({ err: error }, 'a rejection was not handled'))
process.on('uncaughtException', (error) => {
  log.fatal({ err: error }, 'an exception was not caught')
  process.exit(1)
})

try {
  const product = await compose({ config, clock: systemClock, log })
  // The hooks first: the broker asks them who we are as soon as we connect to it.
  await listen(product.internal, config.INTERNAL_PORT, config.INTERNAL_HOST)
  // A second process on this machine that was given no port of its own goes without figures, and says so.
  if (config.METRICS_PORT !== 0)
    await listen(product.metrics, config.METRICS_PORT, config.METRICS_HOST).catch((error: unknown) =>
      log.error({ err: error }, 'no figures for Prometheus: give each process a METRICS_PORT of its own')
    )
  await product.start()
  await listen(product.http, config.PORT, config.HOST)
  log.info({ host: config.HOST, port: config.PORT }, 'the api is up')

  let isStopping = false
  let terms = 0
  const stop = async (signal: string): Promise<void> => {
    // Whoever asks twice does not want to wait; Ctrl+C reaches every part once by itself, and once more from the launcher.
    if (signal === 'SIGTERM' && (terms += 1) === 2) process.exit(1)
    if (isStopping) return
    isStopping = true
    log.info({ signal, drainMs: config.DRAIN_MS }, 'stopping')
    setTimeout(() => process.exit(1), config.DRAIN_MS + stopWithinMs).unref()
    await product.drain()
    await product.stop()
    process.exit(0)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal))
} catch (error) {
  process.stderr.write(`The api could not start: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}

function readConfigOrExit(): Config {
  try {
    return readConfig()
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    process.stderr.write(`The api's settings are not right:\n${error.faults.map((fault) => `- ${fault}`).join('\n')}\n`)
    process.exit(1)
  }
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(
        error.code === 'EADDRINUSE'
          ? new Error(`port ${port} on ${host} is in use. Stop what uses it, or choose another port.`)
          : error
      )
    })
    server.listen(port, host, resolve)
  })
}
