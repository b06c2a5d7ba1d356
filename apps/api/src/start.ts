import type { Server } from 'node:http'
import { because } from '@batti/kit/because'
import type { Clock } from '@batti/kit/clock'
import { messageOf } from '@batti/kit/message-of'
import { listen } from '@batti/kit/node/listen'
import type { Logger } from 'pino'
import { compose, type Overrides } from './compose.ts'
import { ConfigError, type Config } from './platform/config.ts'

export interface RunningApi {
  /** Turns readiness red and keeps serving until the load balancer has noticed. */
  drain(): Promise<void>
  stop(): Promise<void>
}

/** Starts the api, from its settings to open ports, in its own process or beside other parts. @throws when it cannot start. */
export async function startApi(parts: {
  config: Config
  clock: Clock
  log: Logger
  overrides?: Overrides
}): Promise<RunningApi> {
  const { config, log } = parts
  const product = await compose(parts)
  // The hooks listen first: the broker calls them to authenticate the api as soon as the api connects to it.
  const { HOST, PORT, INTERNAL_HOST, INTERNAL_PORT, METRICS_HOST, METRICS_PORT } = config
  await listen(product.internal, INTERNAL_PORT, INTERNAL_HOST).catch(because('INTERNAL_HOST and INTERNAL_PORT'))
  // A second process on this machine without a METRICS_PORT of its own runs without metrics and logs that.
  if (METRICS_PORT !== 0)
    await listen(product.metrics, METRICS_PORT, METRICS_HOST).catch((error: unknown) =>
      log.error(
        { err: error },
        'no figures for Prometheus at METRICS_HOST: give each process a METRICS_PORT of its own'
      )
    )
  await product.start()
  await listen(product.http, PORT, HOST).catch(because('HOST and PORT'))
  log.info({ host: HOST, port: PORT, metricsPort: portOf(product.metrics) }, 'the api is up')
  return { drain: () => product.drain(), stop: () => product.stop() }
}

/** Returns null for a server that does not listen. */
function portOf(server: Server): number | null {
  const address = server.address()
  return address === null || typeof address === 'string' ? null : address.port
}

/** Returns why the api did not start, in words for a person. */
export function whyNotStarted(error: unknown): string {
  return error instanceof ConfigError ? error.message : `The api could not start: ${messageOf(error)}`
}
