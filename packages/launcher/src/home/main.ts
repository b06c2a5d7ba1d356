import { ConfigError, readConfig as readApiConfig } from '@batti/api/platform/config'
import { createLogger } from '@batti/api/platform/log/log'
import { startApi, whyNotStarted } from '@batti/api/start'
import { startBroker } from '@batti/broker/compose'
import { readConfig as readBrokerConfig } from '@batti/broker/config'
import { createLog } from '@batti/broker/log'
import { serveFolder } from '@batti/embedded-mongo/serve-folder'
import { startFailure } from '@batti/embedded-mongo/start-failure'
import { systemClock } from '@batti/kit/clock'
import { messageOf } from '@batti/kit/message-of'
import { stopOnSignals } from '@batti/kit/node/stop-on-signals'
import { parseArgs } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { readSettings } from '../config.ts'
import { returnFreePages } from './free-pages.ts'
import { createHeapThrift } from './heap-thrift.ts'
import { createLinkInside } from './link-inside.ts'

/**
 * Database, broker and api of a home in one process. Boards' messages pass between broker and api as calls; else the parts
 * speak by the sockets that they speak by apart. What ends one of them ends the process, which the launcher starts again.
 */

/** Of the one thread, what boards that come back together may keep busy: people's calls go in between. */
const handshakeLoopShare = 0.7

// One process is for a machine short of memory: old objects are collected sooner, and what a storm has filled is given back. As
// an option of node it would also leave young objects 1 MiB, which boards that come back together fill forty times a second.
const heapThrift = createHeapThrift({
  clock: systemClock,
  setFlag: setFlagsFromString,
  collect: () => {
    globalThis.gc?.()
    void returnFreePages()
  }
})

/** A home's documents fit; more would fill with rows of history that were written and are not read again. */
const smallCaches = { cacheBytes: 16 * 1024 * 1024, pageCacheBytes: 4 * 1024 * 1024 }

const endWith = (words: string): never => {
  process.stderr.write(`${words}\n`)
  process.exit(1)
}

const { values } = parseArgs({ options: { data: { type: 'string' }, port: { type: 'string' } } })
const { env } = readSettings()
/** Until everything runs there is nothing to stop in order. */
let stop = (): void => process.exit(0)
const database = await startDatabase()
const { apiConfig, brokerConfig } = readBoth()
const log = createLogger(apiConfig)

process.on('unhandledRejection', (error) => log.error({ err: error }, 'a rejection was not handled'))
process.on('uncaughtException', (error) => {
  log.fatal({ err: error }, 'an exception was not caught')
  process.exit(1)
})

const { openLink, brokerIsUp } = createLinkInside({ onPassed: heapThrift.passed })
// Boards' messages that several apis split pass through the broker's own subscriptions.
const overrides = apiConfig.MQTT_SHARED_GROUP === undefined ? { openLink } : {}
// The api first: boards that come back together keep the one thread busy, and each of them asks the api who it is.
const api = await startApi({ config: apiConfig, clock: systemClock, log, overrides }).catch((error: unknown) =>
  endWith(whyNotStarted(error))
)
const broker = await startBroker({
  config: brokerConfig,
  log: createLog(brokerConfig.logLevel),
  clock: systemClock,
  limits: { handshakeLoopShare }
}).catch((error: unknown) => endWith(`broker: could not start: ${messageOf(error)}`))
brokerIsUp(broker)
process.on('SIGHUP', () => void broker.renewCertificate())
stop = stopOnSignals({
  drainMs: apiConfig.DRAIN_MS,
  say: (signal) => log.info({ signal, drainMs: apiConfig.DRAIN_MS }, 'stopping'),
  async stop() {
    await api.drain()
    await api.stop()
    await broker.stop()
    await database?.close()
  }
})

/** Null where the settings name another. Its first line is the one that it says alone. */
async function startDatabase(): Promise<{ uri: string; close(): Promise<void> } | null> {
  if (values.data === undefined) return null
  const served = await serveFolder({
    data: values.data,
    listen: values.port === undefined ? null : { port: Number(values.port) },
    limits: smallCaches,
    onLost: (error) => endWith(startFailure(error)),
    onFull: (words) => process.stderr.write(`${words}\n`),
    onStopRequest: () => stop()
  }).catch((error: unknown) => endWith(startFailure(error)))
  process.stdout.write(`${JSON.stringify({ ready: true, uri: served.uri })}\n`)
  return served
}

/** Ends with everything that is wrong with either. */
function readBoth() {
  const ofBroker = readBrokerConfig(env)
  const brokerFaults = ofBroker.ok ? [] : ofBroker.faults.map((fault) => `broker: ${fault}`)
  try {
    // The driver repeats a write whose connection broke; here both ends of it end together, and what is kept for that is a page
    // of the disk for each commit.
    const own = database === null ? {} : { MONGODB_URI: `${database.uri}&retryWrites=false` }
    const ofApi = readApiConfig({ ...env, ...own })
    return ofBroker.ok ? { apiConfig: ofApi, brokerConfig: ofBroker.config } : endWith(brokerFaults.join('\n'))
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return endWith([whyNotStarted(error), ...brokerFaults].join('\n'))
  }
}
