import { randomBytes } from 'node:crypto'
import type { Server } from 'node:http'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { createDatabaseName, databaseUri, startTestDatabase } from '@batti/embedded-mongo/testing'
import type { Connection } from 'mongoose'
import { pino } from 'pino'
import supertest from 'supertest'
import { createApp } from '../platform/http/app.ts'
import type { Clock } from '../platform/clock.ts'
import { composeAccounts, type Accounts, type AccountsParts } from '../compose/accounts.ts'
import { readConfig } from '../platform/config.ts'
import type { OutboxMessage } from '../platform/outbox/outbox.ts'
import { createEventBus, type EventBus } from '../platform/events.ts'
import { defaultAccountLimits, type AccountLimits } from '../features/accounts/limits.ts'
import { createMetrics } from '../platform/http/metrics.ts'
import { connectDatabase } from '../platform/store/database.ts'

export interface TestClock extends Clock {
  advance(ms: number): void
}

export interface AccountsApp {
  /** Calls without cookies; `supertest.agent(server)` keeps them. */
  http: ReturnType<typeof supertest>
  server: Server
  app: ReturnType<typeof createApp>
  accounts: Accounts
  connection: Connection
  /** Of its database: a second app on the same data. */
  uri: string
  clock: TestClock
  events: EventBus
  dataDir: string
  /** Ids of accounts whose homes were erased. */
  erasedHomes: string[]
  /** Every line that was logged so far. */
  logged(): string
  /** Waits for the newest message to a receiver that is newer than what was taken before. */
  takeMessage(to: string): Promise<OutboxMessage>
  takeCode(to: string): Promise<string>
  /** Everything that was sent to a receiver, newest first. */
  messages(to: string): Promise<OutboxMessage[]>
  close(): Promise<void>
}

export const testPassword = 'lamp under the stairs 7'

/** No limits that a test of something else could run into. */
const off = Object.fromEntries(
  Object.entries(defaultAccountLimits).map(([name, limit]) => [name, { ...limit, points: 0 }])
) as unknown as AccountLimits

export const testSecrets = () => ({
  INTERNAL_SECRET: randomBytes(32).toString('hex'),
  JWT_SECRET: randomBytes(32).toString('hex'),
  MQTT_SERVICE_PASSWORD: randomBytes(32).toString('hex'),
  DATA_KEY: randomBytes(32).toString('base64')
})

/** One engine serves all apps of a test file: starting one for each would take most of the time. */
let shared: ReturnType<typeof startTestDatabase> | undefined
let users = 0
const takeDatabase = () => {
  users += 1
  return (shared ??= startTestDatabase())
}
const leaveDatabase = async () => {
  users -= 1
  if (users > 0) return
  const last = shared
  shared = undefined
  await (await last)?.stop()
}

/** The app with the calls of accounts alone: real HTTP, a real database, a clock that tests move, an outbox to read. */
export async function startAccountsApp(
  options: {
    env?: Record<string, string>
    limits?: Partial<AccountLimits>
    uri?: string
  } & Pick<AccountsParts, 'mailSender' | 'smsSender' | 'countHomesOf'> = {}
): Promise<AccountsApp> {
  const database = options.uri === undefined ? await takeDatabase() : undefined
  const dataDir = await mkdtemp(join(tmpdir(), 'batti-accounts-'))
  let now = Date.now()
  const clock: TestClock = { now: () => now, monotonic: () => now, advance: (ms) => void (now += ms) }
  const lines: string[] = []
  const log = pino(
    { level: 'debug' },
    new Writable({
      write(chunk: Buffer, _encoding, done) {
        lines.push(chunk.toString())
        done()
      }
    })
  )
  const config = readConfig({
    ...testSecrets(),
    MONGODB_URI: options.uri ?? databaseUri(database?.uri ?? '', createDatabaseName('accounts')),
    DATA_DIR: dataDir,
    BCRYPT_COST: '4',
    DEV_OUTBOX: '1',
    PUBLIC_URL: 'http://batti.test',
    ...options.env
  })
  const connection = await connectDatabase(config.MONGODB_URI)
  const events = createEventBus(log)
  const metrics = createMetrics()
  const erasedHomes: string[] = []
  const accounts = composeAccounts({
    config,
    connection,
    clock,
    events,
    log,
    metrics,
    limits: { ...off, ...options.limits },
    eraseHomeOf: async (userId) => void erasedHomes.push(userId),
    ...(options.mailSender === undefined ? {} : { mailSender: options.mailSender }),
    ...(options.smsSender === undefined ? {} : { smsSender: options.smsSender }),
    ...(options.countHomesOf === undefined ? {} : { countHomesOf: options.countHomesOf })
  })
  await accounts.ensureIndexes()
  await accounts.start()
  const app = createApp({
    log,
    metrics,
    handlers: accounts.handlers,
    pages: accounts.pages,
    authenticate: accounts.authenticate,
    uploads: accounts.uploads,
    isOwnHost: () => true,
    addressGuard: accounts.addressGuard,
    onRefused: accounts.recordRefusal,
    trustProxy: config.TRUST_PROXY,
    corsOrigins: config.CORS_ORIGINS,
    https: config.PUBLIC_URL?.startsWith('https:') ?? false
  })
  const server = app.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const http = supertest(server)
  const taken = new Set<string>()
  const outbox = async (to: string): Promise<OutboxMessage[]> => {
    const answer = await supertest(server).get('/dev/outbox').query({ to }).set('accept', 'application/json')
    return answer.body as OutboxMessage[]
  }

  const testApp: AccountsApp = {
    http,
    server,
    app,
    accounts,
    connection,
    uri: config.MONGODB_URI,
    clock,
    events,
    dataDir,
    erasedHomes,
    logged: () => lines.join(''),
    async takeMessage(to) {
      const until = performance.now() + 10_000
      for (;;) {
        const seen = await outbox(to)
        const message = seen.find(({ id }) => !taken.has(id))
        if (message !== undefined) {
          for (const { id } of seen) taken.add(id)
          return message
        }
        if (performance.now() > until) throw new Error(`No message to ${to}.`)
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
    },
    async takeCode(to) {
      const message = await testApp.takeMessage(to)
      const code = /(?<![\d+])\d{6}(?!\d)/.exec(message.text)?.[0]
      if (code === undefined) throw new Error(`No code in: ${message.text}`)
      return code
    },
    messages: outbox,
    async close() {
      await new Promise((resolve) => server.close(resolve))
      await accounts.stop()
      if (options.uri === undefined) await connection.dropDatabase()
      await connection.close()
      if (database !== undefined) await leaveDatabase()
      await rm(dataDir, { recursive: true, force: true })
    }
  }
  return testApp
}
