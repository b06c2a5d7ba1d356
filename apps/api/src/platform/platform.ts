import { because } from '@batti/kit/because'
import { randomBytes } from 'node:crypto'
import type { Connection } from 'mongoose'
import type { Logger } from 'pino'
import type { Clock } from '@batti/kit/clock'
import { singleInstance, type Cluster } from './cluster/cluster.ts'
import { createRedisCluster } from './cluster/redis-cluster.ts'
import type { Config } from './config.ts'
import { createEventBus, type EventBus } from './events.ts'
import type { Feature } from './feature.ts'
import { ownAddress } from './http/addresses/own-address.ts'
import { createMetrics, type Metrics } from './http/metrics.ts'
import { createPictures, type Pictures } from './http/uploads/pictures.ts'
import { createRateLimitModel, createRateLimits, type RateLimits } from './http/limits/rate-limits.ts'
import { createSecurityLog, type SecurityLog } from './log/security-log.ts'
import type { MailSender } from './mail/mail.ts'
import { createMessaging, type Messaging } from './mail/messaging.ts'
import type { SmsSender } from './sms/sms.ts'
import { connectDatabase, databaseDeadlineMs as usualDeadlineMs } from './store/database.ts'
import { createServerKeys, type ServerKeys } from './store/server-keys.ts'
import { createTransactions, type RunInTransaction } from './store/transactions.ts'
import { ensureIndexes } from './store/ensure-indexes.ts'

/** What any part may use. */
export interface Platform extends Omit<Messaging, 'pages' | 'stop'>, Omit<Pictures, 'page'> {
  config: Config
  clock: Clock
  /** The other api instances. */
  cluster: Cluster
  /** Whether no other process uses the same database and boards, so that this one wrote everything in them. */
  isAlone: boolean
  log: Logger
  connection: Connection
  inTransaction: RunInTransaction
  /** How long a call waits for the database before it fails with 503. */
  databaseDeadlineMs: number
  events: EventBus
  metrics: Metrics
  keys: ServerKeys
  security: SecurityLog
  limits: RateLimits
  /** The same limits, by another clock. */
  limitsBy(clock: Clock): RateLimits
  /** The public address of the product, for links in mails. */
  publicUrl: string
}

export interface PlatformParts {
  config: Config
  clock: Clock
  log: Logger
  /** Replaces what the settings name, for tests of a failing provider. */
  mailSender?: MailSender | undefined
  smsSender?: SmsSender | undefined
  /** Replaces what the settings name, for several instances in one process. */
  otherInstances?: Cluster | undefined
  /** Whether other processes use the database and boards; if undefined, as the settings say. */
  isShared?: boolean | undefined
  /** Deadline of a database call, for tests on a busy machine. */
  databaseDeadlineMs?: number
}

/**
 * Creates what any server needs: database, mails, pictures, metrics.
 * @throws when the database cannot be reached.
 */
export async function createPlatform(parts: PlatformParts): Promise<Feature & { platform: Platform }> {
  const { config, clock, log, databaseDeadlineMs = usualDeadlineMs } = parts
  const metrics = createMetrics()
  const connection = await connectDatabase(config.MONGODB_URI, {
    deadlineMs: databaseDeadlineMs,
    startTimer: () => metrics.databaseSeconds.startTimer()
  }).catch(because('the database of MONGODB_URI cannot be used'))
  const instance = randomBytes(4).toString('hex')
  const redis =
    config.REDIS_URL !== undefined && config.CLUSTER_ADAPTER === 'redis' && parts.otherInstances === undefined
      ? await createRedisCluster({ url: config.REDIS_URL, instance, clock, log })
      : undefined
  const keys = createServerKeys(config.JWT_SECRET, config.JWT_SECRET_PREVIOUS)
  const counters = createRateLimitModel(connection)
  const { pages, stop: stopMessages, ...messaging } = await createMessaging({ ...parts, metrics })
  const limitsBy = (by: Clock): RateLimits => createRateLimits({ counters, clock: by, keys })
  const limits = limitsBy(clock)
  const { page: picturesPage, ...pictures } = await createPictures({ config, log, limits }).catch(
    because(`the folder of DATA_DIR (${config.dataDir}) cannot be used`)
  )

  const events = createEventBus(log)

  return {
    platform: {
      config,
      clock,
      isAlone: !(parts.isShared ?? config.CLUSTER_ADAPTER !== 'none'),
      cluster: parts.otherInstances ?? redis ?? singleInstance(instance),
      log,
      connection,
      inTransaction: createTransactions(connection, { deadlineMs: databaseDeadlineMs }),
      databaseDeadlineMs,
      events,
      metrics,
      keys,
      security: createSecurityLog(log),
      limits,
      limitsBy,
      publicUrl: ownAddress(config),
      ...messaging,
      ...pictures
    },
    pages: [picturesPage, ...pages],
    indexes: () => ensureIndexes(counters),
    start: () => redis?.start(),
    async stop() {
      stopMessages()
      await redis?.stop()
      // What boards have reported was acknowledged: it would not come again.
      await events.settled()
      await connection.close()
    }
  }
}
