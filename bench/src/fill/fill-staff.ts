/** Inserts a whole installation directly into the database, with the documents that the product would have stored. */
import type { Db } from 'mongodb'
import { Types } from 'mongoose'
import { searchKeysOf } from '../../../apps/api/src/platform/store/lists/search-keys.ts'
import { eveningSchedule } from './evening-schedule.ts'
import { macOf } from './mac-of.ts'
import { insertRows, withDatabase } from './with-database.ts'
import { storedBoard } from './stored-board.ts'

export const switchesPerBoard = 4
const logRowsPerBoard = 5
const names = ['Kitchen', 'Hall', 'Attic', 'Bath', 'Study', 'Garage', 'Garden', 'Balcony', 'Bedroom', 'Dining']

export async function fillStaff(
  at: { uri: string },
  counts: { boards: number; users: number; say(line: string): void }
): Promise<{ aUser: string }> {
  return withDatabase(at, (database) => fill(database, counts))
}

async function fill(
  database: Db,
  counts: { boards: number; users: number; say(line: string): void }
): Promise<{ aUser: string }> {
  const { boards, users, say } = counts
  const now = new Date('2026-11-01T00:00:00Z')
  const stamps = { createdAt: now, updatedAt: now }
  const boardsOf = (user: number): number => Math.floor((boards - 1 - user) / users) + 1
  const userIds = Array.from({ length: users }, () => new Types.ObjectId())
  await insertRows(database, 'users', users, (index) => {
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
      loginPhoneVerified: false,
      phoneClaimedAt: null,
      resetGuard: null,
      address: '',
      role: 'user',
      permissions: [],
      passwordHash: null,
      imageKey: null,
      language: 'en',
      timezone: null,
      knownIps: [],
      deletingAt: null,
      rosterRev: 0,
      homeRev: 0,
      counts: { devices: boardsOf(index), schedules: 1, rooms: 1 },
      searchKeys: keysOf({ name: `Thapa ${index}`, email, phone: `+97798${String(index).padStart(8, '0')}` }),
      ...stamps
    }
  })
  say(`${users} users`)
  const roomIds = Array.from({ length: users }, () => new Types.ObjectId())
  await insertRows(database, 'rooms', users, (index) => ({
    _id: roomIds[index],
    userId: userIds[index],
    roomName: roomName(index),
    counts: { devices: boardsOf(index), online: boardsOf(index) },
    searchKeys: keysOf({ roomName: roomName(index) }),
    ...stamps
  }))
  const deviceIds = Array.from({ length: boards }, () => new Types.ObjectId())
  await insertRows(database, 'devices', boards, (index) => ({
    _id: deviceIds[index],
    ...storedBoard({ deviceMac: macOf(index), setName: boardName(index) }, now),
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
    isOnline: index % 10 !== 0,
    wifiSSID: `home-${index % 1000}`,
    osVersion: `1.${index % 7}.0`,
    healthReasons: index % 50 === 0 ? ['weak'] : [],
    healthScore: index % 50 === 0 ? 90 : 100
  }))
  say(`${boards} boards`)
  await insertRows(database, 'switches', boards * switchesPerBoard, (index) => {
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
  await insertRows(database, 'schedules', users, (index) => ({
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
  await fillLogs(database, { boards, users, userIds, deviceIds })
  say(`${boards * logRowsPerBoard} rows of the action log, ${boards} of the audit log`)
  return { aUser: String(userIds[123 % users]) }
}

async function fillLogs(
  database: Db,
  filled: { boards: number; users: number; userIds: Types.ObjectId[]; deviceIds: Types.ObjectId[] }
): Promise<void> {
  const { boards, users, userIds, deviceIds } = filled
  const minutesAgo = (minutes: number): Date => new Date(Date.parse('2026-11-20T05:59:00Z') - minutes * 60_000)
  await insertRows(database, 'switchActionLogs', boards * logRowsPerBoard, (index) => {
    const board = index % boards
    const user = board % users
    const switchName = `${names[index % names.length]} lamp ${board * switchesPerBoard}`
    return {
      _id: new Types.ObjectId(),
      kind: 'change',
      userId: userIds[user],
      description: `${switchName} turned ${index % 2 === 0 ? 'ON' : 'OFF'}`,
      userName: `Thapa ${user}`,
      userPhone: null,
      from: 'web',
      cause: { by: 'user', userId: String(userIds[user]), userName: `Thapa ${user}`, from: 'web' },
      deviceId: deviceIds[board],
      deviceMac: macOf(board),
      switchId: null,
      switchIndex: 0,
      switchName,
      state: index % 2 === 0,
      speed: 0,
      commandId: null,
      report: { bootId: 'boot-1234', seq: index + 1 },
      occurrence: null,
      createdAt: minutesAgo(index)
    }
  })
  const staff = new Types.ObjectId()
  await insertRows(database, 'audit_logs', boards, (index) => ({
    _id: new Types.ObjectId(),
    at: minutesAgo(index),
    actor: { _id: staff, name: `Seller ${index % 10}`, role: 'admin' },
    action: index % 3 === 0 ? 'device.update' : 'device.move',
    target: { kind: 'device', _id: String(deviceIds[index]), label: boardName(index) },
    searchKeys: {
      target: { label: searchKeysOf(boardName(index)) },
      actor: { name: searchKeysOf(`Seller ${index % 10}`) }
    },
    changes: [{ field: 'setName', before: '', after: boardName(index) }],
    ip: '192.0.2.7',
    requestId: 'r',
    expiresAt: new Date('2028-01-01T00:00:00Z')
  }))
}

const roomName = (index: number): string => `${names[index % names.length]} ${index}`
const boardName = (index: number): string => `${names[index % names.length]} board ${index}`
const keysOf = (fields: Record<string, string>): Record<string, string[]> =>
  Object.fromEntries(Object.entries(fields).map(([field, text]) => [field, searchKeysOf(text)]))
