import { createLogger, logUncaught } from '@batti/api/platform/log/log'
import { startApi, whyNotStarted } from '@batti/api/start'
import { startBroker } from '@batti/broker/compose'
import { createLog } from '@batti/broker/log'
import { serveFolder, type ServedFolder } from '@batti/embedded-mongo/serve-folder'
import { startFailure } from '@batti/embedded-mongo/start-failure'
import { systemClock } from '@batti/kit/clock'
import { messageOf } from '@batti/kit/message-of'
import { stopOnSignals } from '@batti/kit/node/stop-on-signals'
import { parseArgs } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { readSettings } from '../config.ts'
import { returnFreePages } from './free-pages.ts'
import { createHeapTuner } from './heap-tuner.ts'
import { createInProcessLink } from './in-process-link.ts'
import { readConfigs } from './read-configs.ts'

/**
 * Runs database, broker and api of a home in one process. Board messages pass between broker and api as function calls. Otherwise
 * the parts use the same sockets as in separate processes. A crash of one part ends the process; the launcher restarts it.
 */

let database: ServedFolder | null = null

/** The share of the thread that TLS handshakes of a reconnect storm may use. The rest is for people's requests. */
const handshakeLoopShare = 0.7

// One process is for a machine with little memory: it collects old objects early, and releases memory after a load. As a
// command-line option, `--optimize-for-size` would also limit young objects to 1 MiB, which a reconnect storm fills 40 times/s.
const heapTuner = createHeapTuner({
  clock: systemClock,
  setFlag: setFlagsFromString,
  cpuMs: () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000
  },
  residentBytes: process.memoryUsage.rss,
  collect: () => {
    database?.releaseMemory()
    // An ordinary collection keeps free pages of V8 for the next objects.
    globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
    void returnFreePages()
  }
})

/** Enough for the documents of a home. A larger cache would only hold history rows that are written and never read. */
const smallCaches = { cacheBytes: 16 * 1024 * 1024, pageCacheBytes: 4 * 1024 * 1024 }

const endWith = (words: string): never => {
  process.stderr.write(`${words}\n`)
  process.exit(1)
}

const { values } = parseArgs({ options: { data: { type: 'string' }, port: { type: 'string' } } })
const { env } = readSettings()
/** Exits at once until everything runs; then replaced by an orderly stop. */
let stop = (): void => process.exit(0)
database = await startDatabase()
const { ofApi: apiConfig, ofBroker: brokerConfig } = readBoth()
const log = createLogger(apiConfig)
logUncaught(log)

const { openLink, brokerIsUp } = createInProcessLink({ onPassed: heapTuner.passed })
// With several api instances in a shared group, the broker's own subscriptions distribute the board messages.
const overrides = apiConfig.MQTT_SHARED_GROUP === undefined ? { openLink } : {}
// Start the api first: a reconnect storm keeps the thread busy, and the broker needs the api to authenticate each board.
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

/** Starts the embedded database; null when the settings name another. Prints the same first line as a separate database. */
async function startDatabase(): Promise<ServedFolder | null> {
  if (values.data === undefined) return null
  const served = await serveFolder({
    data: values.data,
    listen: values.port === undefined ? null : { port: Number(values.port) },
    limits: smallCaches,
    onLost: (error) => endWith(startFailure(error)),
    say: (words) => process.stderr.write(`${words}\n`),
    onStopRequest: () => stop()
  }).catch((error: unknown) => endWith(startFailure(error)))
  process.stdout.write(`${JSON.stringify({ ready: true, uri: served.uri })}\n`)
  return served
}

/** Reads both configurations. Exits with all faults of both. */
function readBoth() {
  try {
    // Retryable writes help when a connection breaks, but here both ends die together. Their bookkeeping costs one disk page
    // per commit.
    const own = database === null ? {} : { MONGODB_URI: `${database.uri}&retryWrites=false` }
    return readConfigs({ ...env, ...own })
  } catch (error) {
    return endWith(messageOf(error))
  }
}
