import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { downPayloads, upPayloads } from './mqtt/payloads.ts'
import { allRoutes } from './routes.ts'
import { clientEvents } from './socket/events.ts'

/** What is sent, by the name of its call, event or topic: the body of a call, or the query of one without a body. */
const schemas = new Map<string, z.ZodType | undefined>([
  ...allRoutes.map(({ name, route }): [string, z.ZodType | undefined] => [name, route.body ?? route.query]),
  ...Object.entries({ ...clientEvents, ...upPayloads, ...downPayloads })
])

/** `a.0.b` with `value`, as `{ a: [{ b: value }] }`. */
const nested = (path: string, value: unknown): unknown =>
  path
    .split('.')
    .toReversed()
    .reduce((inner, key) => (key === '0' ? [inner] : { [key]: inner }), value)

/** Whether a field takes a value; what is said about other fields does not count. */
function takes(name: string, path: string, value: unknown): boolean {
  const schema = schemas.get(name)
  if (schema === undefined) throw new Error(`nothing is called ${name}`)
  const issues = schema.safeParse(nested(path, value)).error?.issues ?? []
  return !issues.some((issue) => issue.path.join('.') === path)
}

/** The longest text of each field. */
const longest: Record<string, Record<string, number>> = {
  register: { name: 100, email: 254, password: 256, address: 300, registrationToken: 128 },
  verifyRegistration: { otp: 16, registrationToken: 2048 },
  login: { email: 254, password: 1024 },
  forgotPassword: { email: 254 },
  resetPassword: { email: 254, token: 2048, otp: 16, newPassword: 256 },
  refreshToken: { refreshToken: 2048 },
  verifyEmail: { otp: 16 },
  verifyPhone: { otp: 16 },
  verifyEmailLink: { token: 2048 },
  verifyPhoneLink: { token: 2048 },
  verifyResetToken: { token: 2048 },
  updateAccount: { name: 100, email: 254, phone: 32, address: 300, timezone: 64, password: 1024 },
  changePassword: { oldPassword: 1024, newPassword: 256 },
  deleteMyAccount: { password: 1024 },
  createUser: { name: 100, email: 254, password: 256, address: 300 },
  updateUser: { name: 100, email: 254, address: 300 },
  createMonitor: { name: 100, email: 254 },
  updateMonitor: { name: 100, email: 254 },
  createRoom: { roomName: 100 },
  updateRoom: { roomName: 100 },
  replaceRoom: { roomName: 100 },
  createSwitch: { switchName: 100 },
  updateSwitch: { switchName: 100 },
  updateSwitchRecord: { switchName: 100 },
  createSchedule: { label: 100 },
  updateSchedule: { label: 100 },
  replaceSchedule: { label: 100 },
  createDevice: { deviceCode: 64, hwModel: 64 },
  updateDevice: {
    setName: 100,
    setRoomName: 100,
    name: 100,
    wifiSSID: 32,
    wifiPassword: 64,
    activeColor: 64,
    timezone: 64,
    osVersion: 64,
    remoteCode: 128,
    'labels.0': 32,
    'pinnedVersion.reason': 200
  },
  deviceAuth: {
    userId: 128,
    deviceCode: 64,
    hwModel: 64,
    osVersion: 64,
    timezone: 64,
    activeColor: 64,
    nonce: 128,
    deviceToken: 256
  },
  createDeviceType: { deviceCode: 64, deviceName: 100, hwModel: 64, description: 1000 },
  updateDeviceType: { deviceCode: 64, deviceName: 100, hwModel: 64, description: 1000 },
  updateDeviceFirmware: { fileName: 255 },
  createRollout: {
    fileName: 255,
    'stages.0.group': 32,
    'target.filter.hwModel': 64,
    'target.filter.osVersion': 64,
    'target.filter.label': 32,
    'target.filter.search': 200
  },
  rollForward: { fileName: 255 },
  bulkDevices: { 'set.activeColor': 64, 'set.timezone': 64 },
  listDevices: { hwModel: 64, osVersion: 64, label: 32, search: 200 },
  listOnTimes: { timezone: 64 },
  searchEverything: { q: 200 },
  'update-from-device': { commandId: 64, scheduleId: 64 },
  'config-update': { activeColor: 64, timezone: 64, 'wifi.ssid': 32, 'wifi.password': 64, 'api.host': 253 },
  schedules: { timezone: 64 },
  'firmware-update': { version: 64 },
  ack: { rejected: 512 }
}

/** The shortest text of those that must not be empty. Blanks count: required lines are below. */
const shortest = {
  register: { password: 8, registrationToken: 43 },
  login: { password: 6 },
  resetPassword: { token: 1, newPassword: 8 },
  changePassword: { oldPassword: 1, newPassword: 8 },
  deleteMyAccount: { password: 1 },
  verifyEmailLink: { token: 1 },
  createUser: { password: 8 },
  updateDevice: { wifiPassword: 8 },
  deviceAuth: { userId: 1, deviceCode: 1, hwModel: 1, osVersion: 1, nonce: 1 },
  updateDeviceFirmware: { fileName: 1 },
  createRollout: { fileName: 1, 'stages.0.group': 1 },
  rollForward: { fileName: 1 },
  bulkDevices: { 'set.activeColor': 1, 'set.timezone': 1, 'set.api.host': 1 },
  searchEverything: { q: 2 },
  'update-from-device': { commandId: 1 },
  'config-update': { 'wifi.ssid': 1, 'api.host': 1 }
}

/** The fewest and the most digits of a phone number. */
const digits: Record<string, Record<string, [number, number]>> = {
  register: { phone: [10, 10] },
  login: { phone: [10, 15] },
  forgotPassword: { phone: [10, 15] },
  resetPassword: { phone: [10, 15] },
  createUser: { phone: [10, 10] },
  updateUser: { phone: [10, 10] },
  createMonitor: { phone: [10, 15] },
  updateMonitor: { phone: [10, 15] }
}

/** The first and the last number that a field takes. */
const numbers: Record<string, Record<string, [number, number]>> = {
  updateDevice: { serverPort: [1, 65_535], mqttPort: [1, 65_535] },
  updateSwitch: { speed: [0, 255] },
  createSwitch: { switchIndex: [0, 63] },
  updateSwitchRecord: { switchIndex: [0, 63] },
  createSchedule: { switchIndex: [0, 63] },
  createDeviceType: {
    numberOfSwitches: [0, 64],
    numberOfFans: [0, 64],
    numberOfSockets: [0, 64],
    'fanIndexes.0': [0, 63]
  },
  updateDeviceType: { numberOfSwitches: [0, 64], numberOfFans: [0, 64], numberOfSockets: [0, 64] },
  createRollout: {
    holdMinutes: [0, 10_080],
    maxFailurePercent: [0, 100],
    atOnce: [1, 1000],
    'stages.0.holdMinutes': [0, 10_080],
    'stages.0.percent': [1, 100],
    'stages.0.devices': [1, 1_000_000]
  },
  bulkDevices: { 'set.api.port': [1, 65_535], 'set.mqtt.port': [1, 65_535] },
  listUsers: { page: [1, 1_000_000] },
  listOnTimes: { days: [1, 31] },
  'toggle-switch': { switchIndex: [0, 63] },
  'set-fan-speed': { switchIndex: [0, 63], speed: [0, 255] },
  'update-from-device': { 'speed.0': [0, 255], 'changed.0': [0, 63] },
  'firmware-progress': { percent: [0, 100] },
  'switch-update': { 'set.0.index': [0, 63], 'set.0.speed': [0, 255] },
  'config-update': { 'api.port': [1, 65_535], 'mqtt.port': [1, 65_535] }
}

/** Lines in which something must be seen. */
const required: Record<string, string[]> = {
  register: ['name', 'address'],
  verifyRegistration: ['registrationToken'],
  updateAccount: ['name'],
  createUser: ['name'],
  updateUser: ['name'],
  createMonitor: ['name'],
  updateMonitor: ['name'],
  createRoom: ['roomName'],
  updateRoom: ['roomName'],
  replaceRoom: ['roomName'],
  createSwitch: ['switchName'],
  updateSwitch: ['switchName'],
  updateSwitchRecord: ['switchName'],
  createDevice: ['deviceCode'],
  updateDevice: ['setName', 'name', 'labels.0'],
  createDeviceType: ['deviceCode', 'deviceName', 'hwModel'],
  updateDeviceType: ['deviceCode', 'deviceName', 'hwModel']
}

const text = (path: string, length: number): string => (path === 'email' ? 'x@example.com' : '').padStart(length, 'x')
const rows = <Limit>(table: Record<string, Record<string, Limit>>): [string, string, Limit][] =>
  Object.entries(table).flatMap(([name, fields]) =>
    Object.entries(fields).map(([path, limit]): [string, string, Limit] => [name, path, limit])
  )

describe('a field takes', () => {
  it.each(rows(longest))('of %s, %s: texts up to %i characters', (name, path, length) => {
    expect([length, length + 1].map((each) => takes(name, path, text(path, each)))).toEqual([true, false])
  })

  it.each(rows(shortest))('of %s, %s: texts from %i characters', (name, path, length) => {
    expect([length - 1, length].map((each) => takes(name, path, text(path, each)))).toEqual([false, true])
  })

  it.each(rows(digits))('of %s, %s: from and to %j digits', (name, path, [fewest, most]) => {
    const lengths = [fewest - 1, fewest, most, most + 1]
    expect(lengths.map((each) => takes(name, path, '9'.repeat(each)))).toEqual([false, true, true, false])
  })

  it.each(rows(numbers))('of %s, %s: numbers from %j', (name, path, [first, last]) => {
    expect([first - 1, first, last, last + 1].map((each) => takes(name, path, each))).toEqual([
      false,
      true,
      true,
      false
    ])
  })

  it.each(Object.entries(required))('of %s: more than blanks in each required line', (name, paths) => {
    const blanks = ['', '  ', '\u200b', '\u3164']
    expect(paths.flatMap((path) => blanks.map((blank) => takes(name, path, blank)))).not.toContain(true)
  })

  it('of createDeviceType, fanIndexes: JSON of numbers from 0 to 63, or blanks for none', () => {
    const taken = ['[-1]', '[0,63]', '[64]', ' '].map((json) => takes('createDeviceType', 'fanIndexes', json))
    expect(taken).toEqual([false, true, false, true])
  })

  it('of createSchedule, intervalSeconds: 0 and more', () => {
    expect([-1, 0].map((seconds) => takes('createSchedule', 'intervalSeconds', seconds))).toEqual([false, true])
  })

  const id = '65f0c0ffee65f0c0ffee65f0'
  it.each([
    ['updateDevice', 'labels', 'lab', 8],
    ['createRollout', 'stages', { percent: 100 }, 20],
    ['createRollout', 'target.deviceIds', id, 10_000],
    ['retryRollout', 'deviceIds', id, 10_000],
    ['bulkDevices', 'deviceIds', id, 10_000],
    ['createSchedule', 'repeatDays', 'Sun', 7],
    ['updateSchedule', 'days', 'Sun', 7],
    ['update-from-device', 'switch', true, 64],
    ['update-from-device', 'speed', 0, 64],
    ['update-from-device', 'changed', 0, 64],
    ['switch-update', 'set', { index: 0 }, 64],
    ['schedules', 'entries', {}, 100]
  ])('of %s, %s: lists of %j, up to %i', (name, path, item, length) => {
    const list = (size: number): unknown[] => Array.from({ length: size }, () => item)
    expect([length, length + 1].map((size) => takes(name, path, list(size)))).toEqual([true, false])
  })
})
