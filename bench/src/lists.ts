/** `node bench/src/lists.ts [SWITCHES]`: measures every list of the user area, with that many switches in the database. */
import { performance } from 'node:perf_hooks'
import { Types } from 'mongoose'
import { startApi, type TestApi } from '../../apps/api/src/testing/test-api.ts'
import type { Actor } from '../../apps/api/src/platform/people/actor.ts'
import { eveningSchedule } from './fill/evening-schedule.ts'
import { macOf } from './fill/mac-of.ts'
import { emptyDatabase } from './fill/with-database.ts'
import type { Report, Row } from './figures/report.ts'
import { percentile } from './figures/statistics.ts'
import { storedBoard } from './fill/stored-board.ts'

export interface ListsOptions {
  switches: number
  /** Calls per list. */
  calls: number
  say(line: string): void
}

const goalMs = 50
const perBoard = 4
const boardsPerHome = 10
const roomsPerHome = 5
const schedulesPerHome = 20
const logsPerHome = 100
const homesAtOnce = 100

interface Home {
  owner: Actor
  roomId: string
  switchId: string
}

/**
 * Creates homes of ten boards with `switches` switches in total. Calls go through HTTP to random homes, one at a time, so
 * that no queueing is measured. The first call to a home finds cold caches.
 */
export async function measureLists({ switches, calls, say }: ListsOptions): Promise<Report> {
  const app = await startApi({ at: '2026-11-20T06:00:00Z' })
  try {
    const homes = await fill(app, Math.ceil(switches / perBoard / boardsPerHome), say)
    say(`${homes.length} homes, ${homes.length * boardsPerHome * perBoard} switches`)
    const lists: [string, (home: Home) => string][] = [
      ['home', () => '/home'],
      ['dashboard', () => '/dashboard'],
      ['devices', () => '/devices'],
      ['devices of a room', ({ roomId }) => `/devices/by-room/${roomId}`],
      ['rooms', () => '/rooms'],
      ['switches', () => '/switches'],
      ['switches found by name', () => '/switches?search=lamp'],
      ['favourites', () => '/favorite-switches'],
      ['schedules', () => '/schedules'],
      ['action log', () => '/switch-action-logs'],
      ['action log of a switch', ({ switchId }) => `/switch-action-logs?switchId=${switchId}`],
      ['on-times of 7 days', () => '/switch-on-times?days=7']
    ]
    const rows: Row[] = []
    for (const [what, path] of lists) {
      const took: number[] = []
      for (let call = 0; call < calls; call += 1) {
        const home = homes[Math.floor(Math.random() * homes.length)]
        if (home === undefined) break
        const start = performance.now()
        const answer = await app.call('GET', path(home), home.owner)
        took.push(performance.now() - start)
        if (answer.statusCode !== 200) throw new Error(`${what}: ${answer.message}`)
      }
      say(`${what}: p50 ${percentile(took, 0.5).toFixed(1)} ms`)
      rows.push({
        what: `${what}, p95`,
        unit: 'ms',
        ours: percentile(took, 0.95),
        against: goalMs,
        goal: { ratio: 1, is: 'atMost' }
      })
    }
    const about = `${homes.length * boardsPerHome * perBoard} switches in the embedded database, ${calls} calls of each list over HTTP, each by a person chosen at random.`
    return { name: 'lists', about, against: 'goal', rows }
  } finally {
    await emptyDatabase(app)
    await app.stop()
  }
}

async function fill(app: TestApi, count: number, say: (line: string) => void): Promise<Home[]> {
  const homes: Home[] = []
  for (let from = 0; from < count; from += homesAtOnce) {
    const made = Array.from({ length: Math.min(homesAtOnce, count - from) }, (_, index) =>
      rowsOf(app.person(), from + index)
    )
    for (const collection of ['rooms', 'devices', 'switches', 'schedules', 'switchActionLogs'] as const) {
      const rows: Record<string, unknown>[] = made.flatMap((home): Record<string, unknown>[] => home[collection])
      for (let at = 0; at < rows.length; at += 1000)
        await app.connection.collection(collection).insertMany(rows.slice(at, at + 1000))
    }
    homes.push(...made.map(({ home }) => home))
    if (homes.length % 500 === 0) say(`${homes.length} homes of ${count}`)
  }
  return homes
}

function rowsOf(owner: Actor, number: number) {
  const userId = new Types.ObjectId(owner.userId)
  const now = new Date('2026-11-01T00:00:00Z')
  const stamps = { createdAt: now, updatedAt: now }
  const rooms = Array.from({ length: roomsPerHome }, (_, index) => ({
    _id: new Types.ObjectId(),
    userId,
    roomName: `Room ${index + 1}`,
    ...stamps
  }))
  const devices = Array.from({ length: boardsPerHome }, (_, index) => ({
    _id: new Types.ObjectId(),
    ...storedBoard({ deviceMac: macOf(number * boardsPerHome + index), setName: `Board ${index + 1}` }, now),
    setRoom: rooms[index % roomsPerHome]?._id ?? null,
    userId,
    switch: [true, false, true, false]
  }))
  const switches = devices.flatMap(({ _id: deviceId }) =>
    Array.from({ length: perBoard }, (_, switchIndex) => ({
      _id: new Types.ObjectId(),
      deviceId,
      switchIndex,
      switchName: switchIndex === 0 ? 'Kitchen lamp' : `Switch ${switchIndex + 1}`,
      isFavorite: switchIndex === 0,
      ...stamps
    }))
  )
  const schedules = Array.from({ length: schedulesPerHome }, (_, index) => ({
    _id: new Types.ObjectId(),
    userId,
    deviceId: switches[index]?.deviceId,
    switchId: switches[index]?._id,
    switchIndex: switches[index]?.switchIndex,
    label: `Evening ${index}`,
    ...eveningSchedule,
    next: null,
    nextRunAt: new Date('2026-11-20T12:15:00Z'),
    ...stamps
  }))
  const switchActionLogs = Array.from({ length: logsPerHome }, (_, index) => {
    const on = switches[index % switches.length]
    const device = devices.find(({ _id }) => _id === on?.deviceId)
    return {
      _id: new Types.ObjectId(),
      kind: 'change',
      userId,
      description: 'Kitchen lamp turned ON',
      userName: owner.name,
      userPhone: null,
      from: 'web',
      cause: { by: 'user', userId: owner.userId, userName: owner.name, from: 'web' },
      deviceId: on?.deviceId,
      deviceMac: device?.deviceMac,
      switchId: on?._id,
      switchIndex: on?.switchIndex,
      switchName: on?.switchName,
      state: index % 2 === 0,
      speed: 0,
      commandId: null,
      report: { bootId: 'boot-1234', seq: index + 1 },
      occurrence: null,
      createdAt: new Date(Date.parse('2026-11-20T06:00:00Z') - index * 3_600_000)
    }
  })
  const home: Home = { owner, roomId: String(rooms[0]?._id), switchId: String(switches[0]?._id) }
  return { home, rooms, devices, switches, schedules, switchActionLogs }
}
