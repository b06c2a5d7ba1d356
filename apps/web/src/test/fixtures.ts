import {
  outletsFromWire,
  type ActionLogRecord,
  type DeviceRecord,
  type Outlet,
  type RolloutRecord,
  type ScheduleRecord,
  type SwitchRecord,
  type UnauthorizedLogRecord,
  type UserRecord
} from '@batti/contracts'
import type { DeviceLive } from '#web/lib/live/device-live.ts'
import { sessionUser, type SessionUser } from '#web/lib/session/session-user.ts'

export const sita: SessionUser = sessionUser.parse({
  _id: 'aaaaaaaaaaaaaaaaaaaaaaaa',
  role: 'user',
  name: 'Sita Thapa',
  email: 'sita@example.com'
})

/** Sita's own account, as the server answers it to her. */
export function accountRecord(changes: Partial<UserRecord> = {}): UserRecord {
  return {
    _id: sita._id,
    name: 'Sita Thapa',
    email: 'sita@example.com',
    phone: '+9779812345678',
    countryCode: '+977',
    role: 'user',
    profileImage: null,
    emailVerification: false,
    phoneVerification: false,
    createdAt: '2026-11-01T00:00:00.000Z',
    ...changes
  }
}

/** A board with two switches, a fan at 2 and a socket at 3. */
export function boardRecord(changes: Partial<DeviceRecord> = {}): DeviceRecord {
  return {
    _id: 'dddddddddddddddddddddddd',
    deviceMac: '34:98:7A:0C:51:E2',
    deviceCode: 'BTF',
    deviceName: 'Wall fan',
    setName: 'Living room wall',
    setRoom: null,
    userId: null,
    switch: [true, false, false, false],
    speed: [0, 0, 0, 0],
    fanIndexes: [2],
    socketIndexes: [3],
    isOnline: true,
    lastSeen: null,
    onlineChangedAt: null,
    bootId: 'boot0001',
    seq: 5,
    stateAt: 1_800_000_000_000,
    wifiSSID: 'Himal-2G',
    wifiRSSI: -58,
    activeColor: 'Aqua Blue',
    timezone: 'Asia/Kathmandu',
    hwModel: 'batti-wall-fan',
    osVersion: '1.0.0',
    firmware: null,
    remoteCode: '',
    localIp: '',
    localHost: '',
    from: '',
    deviceImage: null,
    serverUrl: '',
    serverPort: null,
    mqttPort: null,
    configRev: 0,
    configConfirmedRev: 0,
    health: { score: 100, reasons: [] },
    createdBy: null,
    updatedBy: null,
    createdAt: '2026-11-01T00:00:00.000Z',
    updatedAt: '2026-11-01T00:00:00.000Z',
    ...changes
  }
}

/** A daily evening schedule whose switch and board are gone. */
export function scheduleRecord(changes: Partial<ScheduleRecord> = {}): ScheduleRecord {
  return {
    _id: 'known',
    label: 'Evening on the balcony',
    deviceId: null,
    switchId: null,
    switchIndex: 0,
    userId: sita._id,
    startTime: '18:15',
    endTime: '22:30',
    startAction: 'on',
    endAction: 'off',
    intervalSeconds: 15_300,
    repeatType: 'daily',
    repeatDays: [],
    endDate: null,
    timezone: 'Asia/Kathmandu',
    isActive: true,
    nextRunAt: null,
    createdAt: '2026-11-21T00:00:00.000Z',
    ...changes
  }
}

/** Returns outlets that are plain switches. */
export const switches = (...states: boolean[]): Outlet[] =>
  outletsFromWire({ switch: states, speed: states.map(() => 0) })

/** The live state of a board: two outlets, the first on. */
export function deviceLive(changes: Partial<DeviceLive> = {}): DeviceLive {
  return {
    mac: 'm',
    isOnline: true,
    outlets: switches(true, false),
    bootId: 'boot0001',
    seq: 1,
    at: 0,
    onlineChangedAt: null,
    isFresh: true,
    firmware: null,
    lastCause: null,
    ...changes
  }
}

/** The first switch of that board. */
export function switchRecord(changes: Partial<SwitchRecord> = {}): SwitchRecord {
  const { _id: deviceId, deviceMac, setName: deviceName } = boardRecord()
  return {
    _id: 's1',
    switchName: 'Ceiling lamp',
    switchIndex: 0,
    deviceId,
    deviceMac,
    deviceName,
    roomId: null,
    type: 'switch',
    isFavorite: true,
    status: false,
    speed: 0,
    isOnline: true,
    userId: null,
    createdAt: '2026-11-01T00:00:00.000Z',
    ...changes
  }
}

export function actionLogRecord(changes: Partial<ActionLogRecord> = {}): ActionLogRecord {
  return {
    _id: '1',
    kind: 'change',
    description: 'Kettle turned ON',
    userName: 'Sita Sharma',
    userPhone: null,
    from: 'web',
    cause: null,
    deviceId: null,
    deviceMac: null,
    switchId: null,
    switchIndex: null,
    switchName: null,
    state: true,
    speed: null,
    commandId: null,
    report: null,
    createdAt: '2026-11-22T12:00:00.000Z',
    ...changes
  }
}

/** A bulk change of two boards. */
export function bulkRecord(changes: Partial<RolloutRecord> = {}): RolloutRecord {
  return {
    _id: 'b'.repeat(24),
    kind: 'settings',
    fileName: null,
    version: null,
    state: 'running',
    total: 2,
    counts: { waiting: 2 },
    stages: [],
    maxFailurePercent: 5,
    atOnce: 10,
    allowedHours: null,
    updateWhen: 'any',
    follow: false,
    paused: null,
    failures: [],
    set: { timezone: 'UTC' },
    createdAt: '2027-01-15T06:59:00.000Z',
    createdBy: null,
    ...changes
  }
}

/** A row of the unauthorized log, of an address that is not blocked. */
export function unauthorizedLog(changes: Partial<UnauthorizedLogRecord> = {}): UnauthorizedLogRecord {
  return {
    _id: '6650f2a41c9d440000000a01',
    ip: '203.0.113.9',
    method: 'POST',
    url: '/api/v1/user/login',
    userAgent: 'curl',
    attempts: 40,
    timestamp: '2026-11-28T04:00:00.000Z',
    blocked: false,
    until: null,
    users: 0,
    ...changes
  }
}
