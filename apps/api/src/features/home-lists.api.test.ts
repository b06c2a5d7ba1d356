import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Actor } from '../platform/people/actor.ts'
import { commandsOf } from '../testing/commands-of.ts'
import { eveningSchedule } from '../testing/evening-schedule.ts'
import { startApi, type AddedDevice, type TestApi } from '../testing/test-api.ts'

let app: TestApi
let sita: Actor
let admin: Actor
let device: AddedDevice
let roomId: string

/** A query as it was sent to the database, and its plan. */
interface Explained {
  collection: string
  command: Record<string, unknown>
  stages: string[]
  indexes: string[]
}

const queries = ['find', 'count', 'aggregate', 'distinct', 'update', 'delete', 'findAndModify']
/** Fields of the connection, not of the query. */
const envelope = new Set(['lsid', '$db', '$clusterTime', '$readPreference', 'txnNumber', 'writeConcern', 'ordered'])

beforeAll(async () => {
  app = await startApi({ at: '2026-11-20T06:00:00Z', hearsQueries: true })
  sita = app.person()
  admin = app.person('admin')
  roomId = (await app.call('POST', '/rooms', sita, { roomName: 'Kitchen' })).data._id
  device = await app.device(sita, { roomId })
  await app.call('POST', '/schedules', sita, eveningSchedule(device))
  // A row of the log: its list is counted only when a page is full.
  device.board.report({ switch: [true, false, false, false] })
  await app.settled()
})
afterAll(() => app.stop())

/** The stages of the chosen plans, or their indexes, wherever an answer to `explain` contains them. */
function planned(wanted: 'stage' | 'indexName', answer: unknown): string[] {
  if (typeof answer !== 'object' || answer === null) return []
  return Object.entries(answer).flatMap(([key, value]) => {
    if (key === wanted && typeof value === 'string') return [value]
    return key === 'rejectedPlans' || key === 'command' ? [] : planned(wanted, value)
  })
}

/** Makes `call` and explains each of its queries, through mongoose or without it. */
async function explained(call: () => Promise<unknown>): Promise<Explained[]> {
  const sent = await commandsOf(app, call)
  const asked = sent.flatMap(({ commandName: name, command }) => {
    // The size of a whole collection is known without a scan.
    const isLength = name === 'count' && command['query'] === undefined
    if (!queries.includes(name) || isLength) return []
    const fields = Object.entries(command).filter(([key]) => !envelope.has(key))
    return [{ collection: String(command[name]), command: Object.fromEntries(fields) }]
  })
  const database = app.connection.getClient().db(app.connection.name)
  return Promise.all(
    asked.map(async (each) => {
      const answer = await database.command({ explain: each.command, verbosity: 'queryPlanner' })
      return { ...each, stages: planned('stage', answer), indexes: planned('indexName', answer) }
    })
  )
}

/** Reads a list as it is, and a full page of it: only then its rows are counted. */
const explainedList = (path: string, as: Actor) =>
  explained(async () => {
    const { statusCode, data } = await app.call('GET', path, as)
    expect(statusCode).toBe(200)
    if ('totalPages' in data) await app.call('GET', `${path}${path.includes('?') ? '&' : '?'}limit=1`, as)
  })
const isCount = ({ command }: { command: Record<string, unknown> }): boolean => 'pipeline' in command
const scans = (found: readonly Explained[]): Explained[] =>
  found.filter(({ stages }) => stages.includes('COLLSCAN') || stages.length === 0)

describe('lists use an index, never a scan', () => {
  test.each([
    ['home', () => '/home'],
    ['dashboard', () => '/dashboard'],
    ['devices', () => '/devices'],
    ['devices that are online', () => '/devices?status=online'],
    ['devices of a room', () => `/devices/by-room/${roomId}`],
    ['devices found by name', () => '/devices?search=board'],
    ['rooms', () => '/rooms'],
    ['rooms found by name', () => '/rooms?search=kitchen'],
    ['switches', () => '/switches'],
    ['switches found by name', () => '/switches?search=switch'],
    ['one switch by its board', () => `/switches/by-device/${device.id}/0`],
    ['favourites', () => '/favorite-switches'],
    ['schedules', () => '/schedules'],
    ['schedules found by name', () => '/schedules?search=unnamed'],
    ['action log', () => '/switch-action-logs'],
    ['action log of a switch', () => `/switch-action-logs?switchId=${device.switchIds[0]}`],
    ['action log of a board', () => `/switch-action-logs?deviceId=${device.id}`],
    ['action log since', () => '/switch-action-logs?since=2026-01-01T00:00:00Z&from=web'],
    ['action log found by words', () => '/switch-action-logs?search=turned'],
    ['on-times', () => '/switch-on-times?days=7'],
    ['on-times of a switch', () => `/switch-on-times?switchId=${device.switchIds[0]}`]
  ])('of a home: %s', async (_what, path) => {
    const found = await explainedList(path(), sita)
    expect(found.length).toBeGreaterThan(0)
    expect(scans(found)).toEqual([])
  })

  test.each([
    ['devices', () => '/devices'],
    ['devices that are online', () => '/devices?status=online'],
    ['rooms', () => '/rooms'],
    ['rooms of a person', () => `/rooms?userId=${sita.userId}`],
    ['switches', () => '/switches'],
    ['favourites', () => '/favorite-switches'],
    ['schedules', () => '/schedules'],
    ['action log', () => '/switch-action-logs'],
    ['home', () => '/home'],
    ['rollouts', () => '/rollouts'],
    ['rollouts of a state', () => '/rollouts?state=done'],
    ['dashboard', () => '/dashboard']
  ])('of the whole installation: %s', async (_what, path) => {
    expect(scans(await explainedList(path(), admin))).toEqual([])
  })

  test('due and left-over records', async () => {
    app.clock.advance(86_400_000)
    app.broker.heartbeat()
    const found = await explained(() => app.schedules.tick())
    expect(new Set(found.map(({ collection }) => collection))).toContain('scheduleOccurrences')
    expect(found.filter(({ stages }) => stages.includes('COLLSCAN'))).toEqual([])
  })
})

test.each([
  ['/devices', () => sita],
  ['/switch-action-logs', () => sita],
  ['/switch-action-logs?search=turned', () => sita],
  ['/switches', () => admin],
  ['/schedules', () => admin],
  ['/switch-action-logs', () => admin]
])('%s is read in the order of its index: nothing is sorted in memory', async (path, actor) => {
  const found = await explainedList(path, actor())
  expect(found.filter(({ stages }) => stages.includes('SORT'))).toEqual([])
})

test.each(['/switch-action-logs', '/switch-on-times'])(
  '%s of a switch reads the records of its board, not all of its owner',
  async (path) => {
    const found = await explainedList(`${path}?switchId=${device.switchIds[0]}`, sita)
    const ofLog = found.filter(({ collection }) => collection === 'switchActionLogs').flatMap(({ indexes }) => indexes)
    expect(new Set(ofLog)).toEqual(new Set(['deviceId_1_createdAt_-1__id_-1']))
  }
)

test('a first page with room left is not counted, and says how many there are', async () => {
  const ram = app.person()
  await app.device(ram)
  const counts = async (path: string) => (await commandsOf(app, () => app.call('GET', path, ram))).filter(isCount)
  expect(await counts('/devices')).toEqual([])
  expect((await app.call('GET', '/devices', ram)).data).toMatchObject({ total: 1, totalPages: 1 })
  await app.device(ram)
  for (const path of ['/devices?limit=2', '/devices?limit=1', '/devices?limit=5&page=2']) {
    expect(await counts(path)).toHaveLength(1)
    expect((await app.call('GET', path, ram)).data).toMatchObject({ total: 2 })
  }
  expect((await app.call('GET', '/devices?limit=3', ram)).data).toMatchObject({ total: 2, totalPages: 1 })
})

test('boards that need a hand: only their own events are read', async () => {
  const ram = app.person()
  for (const { board } of [await app.device(ram), await app.device(ram)])
    for (let times = 0; times < 6; times += 1) {
      board.disconnect()
      board.connect()
    }
  await expect
    .poll(async () => {
      await app.fleet.sweep()
      return (await app.call('GET', '/fleet/attention?reason=flapping', admin)).data['boards']
    })
    .toHaveLength(2)
  const found = await explainedList('/fleet/attention', admin)
  const ofEvents = found.filter(({ collection }) => collection === 'device_events').flatMap(({ indexes }) => indexes)
  expect(new Set(ofEvents)).toEqual(new Set(['deviceId_1_at_-1__id_-1']))
})

test('the accounts of the installation are counted without reading them', async () => {
  const found = await explainedList('/dashboard', admin)
  const counts = found.filter(({ collection, command }) => collection === 'users' && 'pipeline' in command)
  // Those that are being deleted, and the monitors.
  expect(counts.flatMap(({ indexes }) => indexes).toSorted()).toEqual([
    'deletingAt_1',
    expect.stringMatching(/^role_1_/)
  ])
})

test.each(['/rooms', '/devices', '/schedules', '/switch-action-logs'])(
  "%s of another user is not found, one's own is",
  async (path) => {
    const ram = app.person()
    for (const userId of [ram.userId, 'f'.repeat(24)])
      expect(await app.call('GET', `${path}?userId=${userId}`, sita)).toMatchObject({
        statusCode: 404,
        message: 'User was not found.'
      })
    const own = await app.call('GET', path, sita)
    expect((await app.call('GET', `${path}?userId=${sita.userId}`, sita)).data).toEqual(own.data)
    expect((await app.call('GET', `${path}?userId=${sita.userId}`, admin)).statusCode).toBe(200)
  }
)

test.each([
  '/devices?status=online&hwModel=batti-wall-4',
  '/devices?status=online&hwModel=batti-wall-4&osVersion=1.0.0',
  '/audit-logs?from=2026-01-01T00:00:00Z',
  '/audit-logs?action=room.create&from=2026-01-01T00:00:00Z&to=2027-01-01T00:00:00Z'
])('%s is counted completely, with an index', async (path) => {
  const found = await explainedList(path, admin)
  const counts = found.filter(isCount)
  expect(counts.length).toBeGreaterThan(0)
  expect(JSON.stringify(counts)).not.toContain('$limit')
  expect(scans(found)).toEqual([])
})

const needed: readonly [collection: string, index: string, path: () => string, as: () => Actor][] = [
  ['devices', 'userId_1_createdAt_1__id_1', () => '/devices', () => sita],
  ['devices', 'createdAt_-1__id_-1', () => '/devices', () => admin],
  ['devices', 'setRoom_1', () => '/rooms', () => admin],
  ['switches', 'deviceId_1_switchIndex_1 deviceId_1__id_1', () => '/switches', () => sita],
  ['switches', 'createdAt_-1__id_-1', () => '/switches', () => admin],
  ['rooms', 'userId_1_createdAt_1__id_1', () => '/rooms', () => sita],
  ['rooms', 'createdAt_-1__id_-1', () => '/rooms', () => admin],
  ['schedules', 'userId_1_createdAt_1__id_1', () => '/schedules', () => sita],
  ['schedules', 'createdAt_-1__id_-1', () => '/schedules', () => admin],
  ['switchActionLogs', 'userId_1_createdAt_-1__id_-1', () => '/switch-action-logs', () => sita],
  ['switchActionLogs', 'createdAt_-1__id_-1', () => '/switch-action-logs', () => admin],
  ['switchActionLogs', 'deviceId_1_createdAt_-1__id_-1', () => `/switch-action-logs?deviceId=${device.id}`, () => admin]
]

test.each(needed)(
  'without its indexes, %s %s, a list would scan, and these tests would fail',
  async (name, index, path, as) => {
    const collection = app.connection.getClient().db(app.connection.name).collection(name)
    for (const each of index.split(' ')) await collection.dropIndex(each)
    try {
      const found = await explainedList(path(), as())
      expect(found.filter(({ stages }) => stages.includes('COLLSCAN')).map((each) => each.collection)).toContain(name)
    } finally {
      await app.ensureIndexes()
    }
  }
)
