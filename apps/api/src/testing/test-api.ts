import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Clock } from '@batti/kit/clock'
import { until } from '@batti/kit/testing'
import supertest from 'supertest'
import type { Overrides } from '../compose.ts'
import { defaultAccountLimits, type AccountLimits } from '../features/accounts/limits.ts'
import { readConfig } from '../platform/config.ts'
import type { OutboxMessage } from '@batti/contracts'
import type { Actor } from '../platform/people/actor.ts'
import { aMac } from './a-mac.ts'
import type { MemoryCluster } from './memory-cluster.ts'
import type { MemoryBoard } from './memory-board.ts'
import { createMemoryBroker, type MemoryBroker } from './memory-broker.ts'
import { takeDatabase } from './test-database.ts'
import { startInstance, type TestInstance } from './test-instance.ts'
import { createTestPeople, type TestPeople } from './test-people.ts'
import { testSecrets } from './test-secrets.ts'

export interface TestClock extends Clock {
  advance(ms: number): void
  set(iso: string): void
  /** Sets the wall clock forward or back, without time passing. */
  step(ms: number): void
}

export interface AddedDevice {
  id: string
  mac: string
  switchIds: string[]
  board: MemoryBoard
}

export interface TestApi extends TestInstance, Pick<TestPeople, 'person' | 'tokenOf'> {
  /** HTTP without cookies; `supertest.agent(server)` keeps them. */
  http: ReturnType<typeof supertest>
  clock: TestClock
  broker: MemoryBroker
  /** The URI of its database, for a second app on the same data. */
  uri: string
  dataDir: string
  /** Ids of accounts whose homes were erased. */
  erasedHomes: string[]
  /** Creates a board with its switches in the database, and its double on the broker; connected unless told otherwise. */
  device(
    owner: Pick<Actor, 'userId'>,
    options?: { outlets?: number; timezone?: string; roomId?: string; isOnline?: boolean; fanIndexes?: number[] }
  ): Promise<AddedDevice>
  /** Starts another api process on the same database and broker; both should be `isShared`. */
  another(): Promise<TestInstance>
  /** Waits for a message to a receiver that is newer than those taken before. */
  takeMessage(to: string): Promise<OutboxMessage>
  takeCode(to: string): Promise<string>
  /** Returns everything that was sent to a receiver, newest first. */
  messages(to: string): Promise<OutboxMessage[]>
}

export interface TestApiOptions extends Overrides {
  env?: Record<string, string>
  /** The time of the clock; the test advances it. */
  at?: string
  uri?: string
  /** Makes the client of the connection emit `commandStarted` for every database command. */
  hearsQueries?: boolean
  /** Connects its instances, so that they share the messages of boards. */
  cluster?: MemoryCluster
}

/** Turns off limits that unrelated tests could hit. */
const off = Object.fromEntries(
  Object.entries(defaultAccountLimits).map(([name, limit]) => [name, { ...limit, points: 0 }])
) as unknown as AccountLimits

/** The api as shipped, over real HTTP and with a real database; only broker, boards, clock and message providers are doubles. */
export async function startApi(options: TestApiOptions = {}): Promise<TestApi> {
  const { env, at, uri: givenUri, hearsQueries = false, accountLimits, cluster, ...overrides } = options
  const database = givenUri === undefined ? await takeDatabase() : undefined
  const plainUri = givenUri ?? database?.uri ?? ''
  const dataDir = await mkdtemp(join(tmpdir(), 'batti-api-'))
  let stepped = 0
  let now = at === undefined ? Date.now() : Date.parse(at)
  const clock: TestClock = {
    now: () => now + stepped,
    monotonic: () => now,
    advance: (ms) => void (now += ms),
    set: (iso) => void (now = Date.parse(iso) - stepped),
    step: (ms) => void (stepped += ms)
  }
  const config = readConfig({
    ...testSecrets(),
    MONGODB_URI: hearsQueries ? `${plainUri}&monitorCommands=true` : plainUri,
    DATA_DIR: dataDir,
    BCRYPT_COST: '4',
    DEV_OUTBOX: '1',
    LIMIT_REPORTS: '0',
    LIMIT_PICTURES: '0',
    PUBLIC_URL: 'http://batti.test',
    ...(cluster === undefined
      ? {}
      : { CLUSTER_ADAPTER: 'redis', REDIS_URL: 'redis://in.memory', MQTT_SHARED_GROUP: 'batti' }),
    ...env
  })
  const broker = createMemoryBroker()
  // Where several share a database, its clock tells whether a token is valid; nothing sets that.
  const isShared = overrides.isShared ?? config.CLUSTER_ADAPTER !== 'none'
  const ofPeople = isShared ? { ...clock, now: clock.monotonic } : clock
  const people = createTestPeople({
    connection: () => first.connection,
    clock: ofPeople,
    jwtSecret: config.JWT_SECRET
  })
  const parts = {
    config,
    clock,
    broker,
    people,
    overrides: { accountLimits: { ...off, ...accountLimits }, databaseTime: clock.monotonic, ...overrides }
  }
  const start = async () => {
    const otherInstances = cluster?.join(randomBytes(4).toString('hex'))
    const instance = await startInstance({ ...parts, overrides: { ...parts.overrides, otherInstances } })
    // An instance that has joined forgets its boards once, and updates all its screens.
    if (otherInstances?.isUp() === true)
      await until('the instance has looked again', () => instance.logged().includes('screens were refreshed'))
    return instance
  }
  const first = await start()
  const others: TestInstance[] = []
  const erasedHomes: string[] = []
  first.accounts.onErase(async (userId) => void erasedHomes.push(userId))
  const { device } = createTestBoards({ app: first, broker, people })

  return {
    ...first,
    ...createInbox(first.server),
    http: supertest(first.server),
    clock,
    broker,
    uri: plainUri,
    dataDir,
    erasedHomes,
    person: people.person,
    tokenOf: people.tokenOf,
    device,
    async another() {
      const instance = await start()
      others.push(instance)
      return instance
    },
    async stop() {
      for (const other of others) await other.stop()
      if (givenUri === undefined) await first.connection.dropDatabase()
      await first.stop()
      await database?.leave()
      await rm(dataDir, { recursive: true, force: true })
    }
  }
}

function createTestBoards(parts: { app: TestInstance; broker: MemoryBroker; people: TestPeople }) {
  const { app, broker, people } = parts
  let devices = 0
  const device: TestApi['device'] = async (
    owner,
    { outlets = 4, timezone = 'Asia/Kathmandu', roomId, isOnline = true, fanIndexes = [] } = {}
  ) => {
    devices += 1
    await people.ready()
    const mac = aMac()
    const created = await app.models.devices.create({
      deviceMac: mac,
      deviceCode: 'BT4',
      deviceName: `Board ${devices}`,
      hwModel: 'batti-wall-4',
      setName: '',
      userId: owner.userId,
      setRoom: roomId ?? null,
      switch: Array.from({ length: outlets }, () => false),
      speed: Array.from({ length: outlets }, () => 0),
      fanIndexes,
      timezone
    })
    const id = String(created._id)
    const records = await app.models.switches.create(
      Array.from({ length: outlets }, (_, switchIndex) => ({
        deviceId: id,
        switchIndex,
        switchName: `Switch ${switchIndex + 1}`
      }))
    )
    const board = broker.addBoard(id, outlets)
    if (isOnline) {
      board.connect()
      // An acknowledged report means that the live record exists.
      await until('the board has an answer', () => board.acks.length > 0)
    }
    return { id, mac, switchIds: records.map(({ _id }) => String(_id)), board }
  }
  return { device }
}

function createInbox(server: TestInstance['server']): Pick<TestApi, 'takeMessage' | 'takeCode' | 'messages'> {
  const taken = new Set<string>()

  async function messages(to: string): Promise<OutboxMessage[]> {
    const answer = await supertest(server).get('/dev/outbox').query({ to }).set('accept', 'application/json')
    return answer.body as OutboxMessage[]
  }
  async function takeMessage(to: string): Promise<OutboxMessage> {
    return until(`a message to ${to}`, async () => {
      const seen = await messages(to)
      const found = seen.find(({ id }) => !taken.has(id))
      if (found !== undefined) for (const { id } of seen) taken.add(id)
      return found
    })
  }
  return {
    messages,
    takeMessage,
    async takeCode(to) {
      const message = await takeMessage(to)
      const code = /(?<![\d+])\d{6}(?!\d)/.exec(message.text)?.[0]
      if (code === undefined) throw new Error(`No code in: ${message.text}`)
      return code
    }
  }
}
