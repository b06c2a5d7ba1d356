import type { AddressInfo } from 'node:net'
import { randomBytes } from 'node:crypto'
import { createDatabaseName, databaseUri, startTestDatabase } from '@batti/embedded-mongo/testing'
import { Types, type Connection } from 'mongoose'
import { pino } from 'pino'
import type { MonitorPermission, Role } from '@batti/contracts'
import type { Actor } from '../platform/people/actor.ts'
import { createApp } from '../platform/http/app.ts'
import { composeDevices, createDeviceModels } from '../compose/devices.ts'
import { composeHome } from '../compose/home.ts'
import { readConfig, type Config } from '../platform/config.ts'
import { createDeviceLink } from '../boards/link/device-link.ts'
import { createDeviceRegistry } from '../boards/registry/device-registry.ts'
import { createDeviceStore } from '../boards/registry/device-store.ts'
import { createEventBus } from '../platform/events.ts'
import { createMetrics } from '../platform/http/metrics.ts'
import { createUploads } from '../platform/http/uploads.ts'
import { connectDatabase } from '../platform/store/database.ts'
import { aMac } from './a-mac.ts'
import { testSecrets, type TestClock } from './accounts-app.ts'
import { createMemoryBroker, type MemoryBoard, type MemoryBroker } from './memory-broker.ts'

export interface Body {
  statusCode: number
  success: boolean
  message: string
  code: string
  errors?: { path: string; message: string }[]
  // Tests look into answers of every shape.
  // oxlint-disable-next-line typescript/no-explicit-any
  data: any
  // oxlint-disable-next-line typescript/no-explicit-any
  [field: string]: any
}

export interface HomeInstance {
  call(method: string, path: string, as: Actor | null, body?: unknown): Promise<Body>
  home: ReturnType<typeof composeHome>
  devices: ReturnType<typeof composeDevices>
  models: ReturnType<typeof createDeviceModels>
  connection: Connection
  /** What this process told people. */
  notices: { userId: string; text: string }[]
  link: ReturnType<typeof createDeviceLink>
  /** Resolves when nothing waits to be stored. */
  settled(): Promise<void>
  /** Dies as by kill -9 when it is about to send one command more: it hears, says and stores nothing from then on. */
  killAfter(commands: number): Promise<void>
  stop(): Promise<void>
}

export interface AddedDevice {
  id: string
  mac: string
  switchIds: string[]
  board: MemoryBoard
}

export interface HomeApp extends HomeInstance {
  clock: TestClock & { set(iso: string): void }
  broker: MemoryBroker
  uri: string
  person(role?: Role, permissions?: MonitorPermission[]): Actor
  /** A board with its switches in the database, and its double on the broker; connected unless told otherwise. */
  device(
    owner: Actor,
    options?: { outlets?: number; timezone?: string; roomId?: string; isOnline?: boolean; fanIndexes?: number[] }
  ): Promise<AddedDevice>
  /** Another api process on the same database and broker; it may join at any time, so each store is a shared one. */
  another(): Promise<HomeInstance>
}

interface People {
  byToken: Map<string, Actor>
  phones: Map<string, string>
}

/** The home half of the api over real HTTP, a real database and a real device link; only broker, boards, accounts and clock are doubles. */
export async function startHomeApp(options: { at?: string; hearsQueries?: boolean } = {}): Promise<HomeApp> {
  const database = await startTestDatabase()
  const plainUri = databaseUri(database.uri, createDatabaseName('home'))
  // `commandStarted` of the connection's client then tells everything that is asked of the database.
  const uri = options.hearsQueries === true ? `${plainUri}&monitorCommands=true` : plainUri
  const config = readConfig({ ...testSecrets(), MONGODB_URI: uri })
  let now = Date.parse(options.at ?? '2026-11-20T06:00:00Z')
  const clock = {
    now: () => now,
    monotonic: () => now,
    advance: (ms: number) => void (now += ms),
    set: (iso: string) => void (now = Date.parse(iso))
  }
  const broker = createMemoryBroker()
  const people: People = { byToken: new Map(), phones: new Map() }
  const parts = { config, uri, clock, broker, people }
  const first = await startInstance(parts)
  const others: HomeInstance[] = []
  let devices = 0

  return {
    ...first,
    clock,
    broker,
    uri,
    person(role = 'user', permissions = []) {
      const number = people.phones.size + 1
      const actor: Actor = {
        userId: new Types.ObjectId().toHexString(),
        role,
        name: `Person ${number}`,
        permissions,
        sessionId: randomBytes(8).toString('hex')
      }
      people.byToken.set(actor.sessionId, actor)
      people.phones.set(actor.userId, `+97798${String(number).padStart(8, '0')}`)
      return actor
    },
    async device(owner, { outlets = 4, timezone = 'Asia/Kathmandu', roomId, isOnline = true, fanIndexes = [] } = {}) {
      devices += 1
      const mac = aMac()
      const created = await first.models.devices.create({
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
      const records = await first.models.switches.create(
        Array.from({ length: outlets }, (_, switchIndex) => ({
          deviceId: id,
          switchIndex,
          switchName: `Switch ${switchIndex + 1}`
        }))
      )
      const board = broker.addBoard(id, outlets)
      if (isOnline) {
        board.connect()
        // The report is stored, so the live record is there.
        while (board.acks.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
      }
      return { id, mac, switchIds: records.map(({ _id }) => String(_id)), board }
    },
    async another() {
      const instance = await startInstance(parts)
      others.push(instance)
      return instance
    },
    async stop() {
      for (const other of others) await other.stop()
      await first.stop()
      await database.stop()
    }
  }
}

async function startInstance(parts: {
  config: Config
  uri: string
  clock: TestClock
  broker: MemoryBroker
  people: People
}): Promise<HomeInstance> {
  const { config, uri, clock, broker, people } = parts
  const log = pino({ level: 'silent' })
  const connection = await connectDatabase(uri)
  const events = createEventBus(log)
  const metrics = createMetrics()
  const models = createDeviceModels(connection, config)
  const registry = createDeviceRegistry(models)
  const store = createDeviceStore({ ...models, log, isShared: true })
  let cutAfter: ReturnType<MemoryBroker['openLink']>['cutAfter'] = () => undefined
  let isKilled = false
  const link = createDeviceLink({
    clock,
    registry,
    store,
    events,
    metrics,
    log,
    idPrefix: `${randomBytes(4).toString('hex')}-`,
    reportsPerSecond: 0,
    closeConnection: () => undefined,
    tellScreens: () => undefined,
    openLink(handlers) {
      const opened = broker.openLink(handlers)
      cutAfter = opened.cutAfter
      return opened
    }
  })
  const notices: { userId: string; text: string }[] = []
  events.on('user-notified', (notice) => void notices.push(notice))
  const findPeople = (ids: readonly string[]) => {
    const known = [...people.byToken.values()].filter(({ userId }) => ids.includes(userId))
    return Promise.resolve(
      new Map(
        known.map(({ userId, name }) => [userId, { _id: userId, name, phone: people.phones.get(userId) ?? null }])
      )
    )
  }
  const pictures: string[] = []
  const home = composeHome({
    connection,
    clock,
    events,
    log,
    models,
    deviceLink: { directory: registry, registry, link },
    findPeople,
    searchPeople: (text) =>
      Promise.resolve([...people.phones].filter(([, phone]) => phone.includes(text)).map(([userId]) => userId)),
    storeImage: () => Promise.resolve(`/files/images/${pictures.push('picture')}.webp`),
    removeImage: () => Promise.resolve(),
    countUsers: () => Promise.resolve(3),
    countMonitors: () => Promise.resolve(1),
    countUnauthorizedLogs: () => Promise.resolve(2)
  })
  const devices = composeDevices({
    config,
    clock,
    events,
    log,
    models,
    deviceLink: { directory: registry, registry, store, link },
    closeConnection: () => undefined,
    findRooms: home.findRooms,
    findOwners: findPeople,
    deleteSchedulesOfDevice: home.deleteSchedulesOfDevice,
    deleteSchedulesOfSwitch: home.deleteSchedulesOfSwitch
  })
  await Promise.all([...Object.values(models).map((model) => model.createIndexes()), home.ensureIndexes()])
  await link.start()

  const app = createApp({
    log,
    metrics,
    handlers: [...home.handlers, ...devices.handlers],
    pages: [],
    authenticate: (bearer) => Promise.resolve(people.byToken.get(bearer ?? '') ?? null),
    uploads: createUploads({ folder: `${process.env['TMPDIR'] ?? '/tmp'}/batti-home-uploads` }),
    isOwnHost: () => true,
    addressGuard: (_req, _res, next) => next(),
    onRefused: () => undefined,
    trustProxy: [],
    corsOrigins: [],
    https: false
  })
  const server = app.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`

  async function close(): Promise<void> {
    await new Promise((resolve) => {
      server.close(resolve)
      server.closeAllConnections()
    })
  }

  return {
    async call(method, path, as, body) {
      const isForm = body instanceof FormData
      const answer = await fetch(`${base}${path}`, {
        method,
        headers: {
          ...(as === null ? {} : { authorization: `Bearer ${as.sessionId}` }),
          ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' })
        },
        ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) })
      })
      return (await answer.json()) as Body
    },
    home,
    devices,
    models,
    connection,
    notices,
    link,
    settled: async () => {
      await store.drain()
      await home.settled()
    },
    killAfter: (commands) =>
      new Promise<void>((resolve) => {
        cutAfter(commands, () => {
          isKilled = true
          void connection.close(true).then(close).then(resolve)
        })
      }),
    async stop() {
      if (isKilled) return
      await close()
      await home.stop()
      await link.stop()
      await connection.close()
    }
  }
}
