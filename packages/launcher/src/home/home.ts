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
import { collectGarbage, collectGarbageAndCode } from './collect-garbage.ts'
import { returnFreePages } from './free-pages.ts'
import { createHeapTuner } from './heap-tuner.ts'
import { createInProcessLink } from './in-process-link.ts'
import { readConfigs } from './read-configs.ts'

/** The share of the thread that TLS handshakes of a reconnect storm may use. The rest is for people's requests. */
const handshakeLoopShare = 0.7

/** Enough for the documents of a home. A larger cache would only hold history rows that are written and never read. */
const smallCaches = { cacheBytes: 16 * 1024 * 1024, pageCacheBytes: 4 * 1024 * 1024 }

/**
 * Runs database, broker and api of a home in one process. Board messages pass between broker and api as function calls. Otherwise
 * the parts use the same sockets as in separate processes. A crash of one part ends the process; the launcher restarts it.
 * `keepCode` is called before the code of the start is dropped.
 */
export async function runHome({ keepCode }: { keepCode(): void }): Promise<void> {
  const { values } = parseArgs({ options: { data: { type: 'string' }, port: { type: 'string' } } })
  const { env } = readSettings()
  /** Exits at once until everything runs; then replaced by an orderly stop. */
  let stop = (): void => process.exit(0)
  let database: ServedFolder | null = null
  const heapTuner = createHeapTuner({
    clock: systemClock,
    setFlag: setFlagsFromString,
    cpuMs: () => {
      const { user, system } = process.cpuUsage()
      return (user + system) / 1000
    },
    residentBytes: process.memoryUsage.rss,
    collect: (after) => {
      database?.releaseMemory()
      if (after === 'growth') collectGarbage()
      else {
        keepCode()
        collectGarbageAndCode()
      }
      void returnFreePages()
    }
  })
  if (values.data !== undefined) {
    const listen = values.port === undefined ? null : { port: Number(values.port) }
    database = await startDatabase({ data: values.data, listen, onStopRequest: () => stop() })
  }
  const { ofApi: apiConfig, ofBroker: brokerConfig } = readBoth(env, database)
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
}

function endWith(words: string): never {
  process.stderr.write(`${words}\n`)
  process.exit(1)
}

type DatabaseOptions = Pick<Parameters<typeof serveFolder>[0], 'data' | 'listen' | 'onStopRequest'>

/** Starts the embedded database. Prints the same first line as a separate database. */
async function startDatabase(options: DatabaseOptions): Promise<ServedFolder> {
  const served = await serveFolder({
    ...options,
    limits: smallCaches,
    onLost: (error) => endWith(startFailure(error)),
    say: (words) => process.stderr.write(`${words}\n`)
  }).catch((error: unknown) => endWith(startFailure(error)))
  process.stdout.write(`${JSON.stringify({ ready: true, uri: served.uri })}\n`)
  return served
}

/** Reads both configurations. Exits with all faults of both. */
function readBoth(env: Readonly<Record<string, string>>, database: ServedFolder | null) {
  try {
    // Retryable writes help when a connection breaks, but here both ends die together. Their bookkeeping costs one disk page
    // per commit.
    const own = database === null ? {} : { MONGODB_URI: `${database.uri}&retryWrites=false` }
    return readConfigs({ ...env, ...own })
  } catch (error) {
    return endWith(messageOf(error))
  }
}
