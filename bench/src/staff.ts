/** `npm run bench -- staff`: every list of staff, search and the fleet, with a whole installation in the embedded database. */
import { performance } from 'node:perf_hooks'
import { Types } from 'mongoose'
import type { Actor } from '../../apps/api/src/platform/people/actor.ts'
import { startApi, type TestApi } from '../../apps/api/src/testing/test-api.ts'
import { searchKeysOf } from '../../apps/api/src/platform/store/search-keys.ts'
import { eveningSchedule } from './evening-schedule.ts'
import { macOf } from './mac-of.ts'
import type { Report, Row } from './report.ts'
import { percentile } from './statistics.ts'

const listGoalMs = 100
const fleetGoalMs = 20
const switchesPerBoard = 4
const names = ['Kitchen', 'Hall', 'Attic', 'Bath', 'Study', 'Garage', 'Garden', 'Balcony', 'Bedroom', 'Dining']

const lists: readonly [what: string, path: string][] = [
  ['users', '/users?limit=200'],
  ['users by name', '/users?limit=200&sort=name'],
  ['users found', '/users?limit=200&search=Thapa%20123'],
  ['users found by what all have', '/users?limit=200&search=thapa'],
  ['users by their boards', '/users?limit=200&sort=-deviceCount'],
  ['devices', '/devices?limit=100'],
  ['devices by name', '/devices?limit=100&sort=setName'],
  ['devices by version', '/devices?limit=100&sort=-osVersion'],
  ['devices by owner', '/devices?limit=100&sort=owner'],
  ['devices by room', '/devices?limit=100&sort=-room'],
  ['devices by signal', '/devices?limit=100&sort=wifiRSSI'],
  ['devices that are offline', '/devices?limit=100&status=offline'],
  ['devices online by name', '/devices?limit=100&status=online&sort=setName'],
  ['devices that are weak', '/devices?limit=100&health=weak'],
  ['devices found by MAC', '/devices?limit=100&search=0A-00-00-00-12'],
  ['devices found by owner', '/devices?limit=100&search=thapa%20123'],
  ['rooms', '/rooms?limit=200'],
  ['rooms by name', '/rooms?limit=200&sort=roomName'],
  ['rooms by boards online', '/rooms?limit=200&sort=-onlineCount'],
  ['switches', '/switches?limit=300'],
  ['switches by name', '/switches?limit=300&sort=switchName'],
  ['switches by board', '/switches?limit=300&sort=deviceName'],
  ['switches by state', '/switches?limit=300&sort=-status'],
  ['switches found', '/switches?limit=300&search=attic%20lamp%2012'],
  ['switches found by what all have', '/switches?limit=300&search=lamp'],
  ['favourites', '/favorite-switches?limit=300'],
  ['favourites by name', '/favorite-switches?limit=300&sort=switchName'],
  ['schedules', '/schedules?limit=200'],
  ['schedules by label', '/schedules?limit=200&sort=label'],
  ['schedules by board', '/schedules?limit=200&sort=device'],
  ['schedules found', '/schedules?limit=200&search=evening%20123'],
  ['search', '/search?q=Thapa%2077'],
  ['boards that need a hand', '/fleet/attention']
]

export async function measureStaff(options: {
  boards: number
  users: number
  calls: number
  say(line: string): void
}): Promise<Report> {
  const { boards, users, calls, say } = options
  const app = await startApi({ at: '2026-11-20T06:00:00Z' })
  try {
    const admin = app.person('admin')
    await fill(app, { boards, users, say })
    const rows: Row[] = []
    const measure = async (what: string, path: string, goalMs: number) => {
      const took: number[] = []
      for (let call = 0; call < calls; call += 1) {
        const start = performance.now()
        await ask(app, path, admin)
        took.push(performance.now() - start)
      }
      const p95 = percentile(took, 0.95)
      say(`${what}: p95 ${p95.toFixed(1)} ms`)
      rows.push({ what: `${what}, p95`, unit: 'ms', ours: p95, against: goalMs, goal: { ratio: 1, is: 'atMost' } })
    }
    for (const [what, path] of lists) await measure(what, path, listGoalMs)
    // A start books every board; these were put into the database behind its back.
    const restarted = await app.another()
    await restarted.listColumns.sweep()
    await restarted.fleet.sweep()
    await ask(app, '/fleet', admin)
    await measure('fleet', '/fleet', fleetGoalMs)
    const about = `${boards} boards, ${boards * switchesPerBoard} switches and ${users} users in the embedded database, ${calls} calls of each over HTTP, one at a time.`
    return { name: 'staff', about, against: 'goal', rows }
  } finally {
    await app.stop()
  }
}

async function ask(app: TestApi, path: string, as: Actor): Promise<void> {
  const answer = await app.call('GET', path, as)
  if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.message}`)
}

async function fill(app: TestApi, counts: { boards: number; users: number; say(line: string): void }): Promise<void> {
  const { boards, users, say } = counts
  const now = new Date('2026-11-01T00:00:00Z')
  const stamps = { createdAt: now, updatedAt: now }
  const boardsOf = (user: number): number => Math.floor((boards - 1 - user) / users) + 1
  const userIds = Array.from({ length: users }, () => new Types.ObjectId())
  await insert(app, 'users', users, (index) => {
    const email = `person${index}@example.com`
    return {
      _id: userIds[index],
      name: `Thapa ${index}`,
      email,
      emailKey: email,
      loginEmail: email,
      loginEmailKey: email,
      loginEmailVerified: true,
      phone: `+97798${String(index).padStart(8, '0')}`,
      loginPhone: null,
      role: 'user',
      permissions: [],
      deletingAt: null,
      counts: { devices: boardsOf(index), schedules: 1, rooms: 1 },
      searchKeys: keysOf({ name: `Thapa ${index}`, email, phone: `+97798${String(index).padStart(8, '0')}` }),
      ...stamps
    }
  })
  say(`${users} users`)
  const roomIds = Array.from({ length: users }, () => new Types.ObjectId())
  await insert(app, 'rooms', users, (index) => ({
    _id: roomIds[index],
    userId: userIds[index],
    roomName: roomName(index),
    counts: { devices: boardsOf(index), online: boardsOf(index) },
    searchKeys: keysOf({ roomName: roomName(index) }),
    ...stamps
  }))
  const deviceIds = Array.from({ length: boards }, () => new Types.ObjectId())
  await insert(app, 'devices', boards, (index) => ({
    _id: deviceIds[index],
    deviceMac: macOf(index),
    deviceCode: 'BT4',
    deviceName: 'Wall 4',
    hwModel: 'batti-wall-4',
    setName: boardName(index),
    list: {
      owner: `Thapa ${index % users}`,
      email: `person${index % users}@example.com`,
      phone: `+97798${String(index % users).padStart(8, '0')}`,
      room: roomName(index % users)
    },
    searchKeys: {
      ...keysOf({ setName: boardName(index), deviceName: 'Wall 4', deviceCode: 'BT4' }),
      deviceMac: searchKeysOf(macOf(index), (mac) => mac.replaceAll(':', '').toLowerCase())
    },
    setRoom: roomIds[index % users],
    userId: userIds[index % users],
    switch: [index % 2 === 0, false, true, false],
    speed: [0, 0, 0, 0],
    fanIndexes: [],
    socketIndexes: [],
    isOnline: index % 10 !== 0,
    onlineChangedAt: now,
    lastSeen: now,
    bootId: 'boot-1234',
    seq: 1,
    earlierBoots: [],
    stateAt: 0,
    activeColor: 'Aqua Blue',
    timezone: 'Asia/Kathmandu',
    remoteCode: '',
    localIp: '',
    localHost: '',
    from: '',
    serverUrl: '',
    serverPort: null,
    mqttPort: null,
    configRev: 0,
    configConfirmedRev: 0,
    schedulesRev: 0,
    schedulesConfirmedRev: 0,
    wifiSSID: `home-${index % 1000}`,
    wifiPassword: '',
    wifiRSSI: -60,
    osVersion: `1.${index % 7}.0`,
    healthReasons: index % 50 === 0 ? ['weak'] : [],
    healthScore: index % 50 === 0 ? 90 : 100,
    labels: [],
    createdBy: null,
    updatedBy: null,
    ...stamps
  }))
  say(`${boards} boards`)
  await insert(app, 'switches', boards * switchesPerBoard, (index) => {
    const board = Math.floor(index / switchesPerBoard)
    const switchIndex = index % switchesPerBoard
    const switchName = `${names[index % names.length]} lamp ${index}`
    return {
      _id: new Types.ObjectId(),
      deviceId: deviceIds[board],
      switchIndex,
      switchName,
      isFavorite: index % 20 === 0,
      list: {
        deviceName: boardName(board),
        deviceType: 'Wall 4',
        room: roomName(board % users),
        type: 'switch',
        status: switchIndex === 0 ? board % 2 === 0 : switchIndex === 2
      },
      searchKeys: keysOf({ switchName }),
      ...stamps
    }
  })
  say(`${boards * switchesPerBoard} switches`)
  await insert(app, 'schedules', users, (index) => ({
    _id: new Types.ObjectId(),
    userId: userIds[index],
    deviceId: deviceIds[index],
    switchId: null,
    switchIndex: 0,
    label: `Evening ${index}`,
    list: { device: boardName(index), deviceType: 'Wall 4', switch: '' },
    searchKeys: keysOf({ label: `Evening ${index}` }),
    ...eveningSchedule,
    next: null,
    nextRunAt: new Date('2026-11-21T12:15:00Z'),
    ...stamps
  }))
}

const roomName = (index: number): string => `${names[index % names.length]} ${index}`
const boardName = (index: number): string => `${names[index % names.length]} board ${index}`
const keysOf = (fields: Record<string, string>): Record<string, string[]> =>
  Object.fromEntries(Object.entries(fields).map(([field, text]) => [field, searchKeysOf(text)]))

const batch = 200

async function insert(
  app: TestApi,
  collection: string,
  count: number,
  rowOf: (index: number) => Record<string, unknown>
): Promise<void> {
  for (let from = 0; from < count; from += batch) {
    const rows = Array.from({ length: Math.min(batch, count - from) }, (_, at) => rowOf(from + at))
    await app.connection.collection(collection).insertMany(rows)
  }
}
