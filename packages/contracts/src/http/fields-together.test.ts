import { expect, it } from 'vitest'
import { allRoutes } from '../routes.ts'

const id = '65f0c0ffee65f0c0ffee65f0'
const email = 'sita@example.com'
const phone = '+9779812345678'
const login = { password: 'lamp under' }
const reset = { newPassword: 'lamp under' }
const until = '2030-01-01T00:00:00Z'

/** Paths of the fields that a call refuses in what is sent: its body, or its query if it has none. */
function refused(name: string, sent?: object): string[] {
  const route = allRoutes.find((each) => each.name === name)?.route
  const schema = route?.body ?? route?.query
  if (schema === undefined) throw new Error(`${name} takes nothing`)
  const issues = schema.safeParse(sent).error?.issues ?? []
  return issues.map(({ path }) => path.join('.'))
}

it.each([
  ['login', { ...login, email }, login, 'email'],
  ['login', { ...login, phone }, { ...login, email, phone }, 'email'],
  ['forgotPassword', { email }, {}, 'email'],
  ['forgotPassword', { phone }, { email, phone }, 'email'],
  ['resetPassword', { ...reset, token: 'x' }, { ...reset, token: 'x', otp: '123456' }, 'token'],
  ['resetPassword', { ...reset, token: 'x' }, { ...reset, token: 'x', email }, 'token'],
  ['resetPassword', { ...reset, otp: '123456', email }, { ...reset, email }, 'otp'],
  ['resetPassword', { ...reset, otp: '123456', phone }, { ...reset, otp: '123456' }, 'email'],
  ['resetPassword', { ...reset, otp: '123456', phone }, { ...reset, otp: '123456', email, phone }, 'email'],
  ['listDeviceFirmware', { deviceId: id }, {}, 'deviceId'],
  ['updateUnauthorizedLog', { blocked: true, until }, { blocked: false, until }, 'until'],
  ['updateFirmwareFile', { from: null }, {}, 'state'],
  ['listRollouts', { state: 'done', phase: 'done' }, { state: 'done', phase: 'running' }, 'phase'],
  ['retryRollout', { deviceIds: [id] }, { deviceIds: [id], reason: 'checksum' }, 'deviceIds']
])('%s takes %j and refuses %j for its %s', (name, taken, wrong, path) => {
  expect([refused(name, taken), refused(name, wrong)]).toEqual([[], [path]])
})

const times = { startTime: '18:00', endTime: '22:00', startAction: 'on', endAction: 'off' }
const person = { name: 'Sita', email, phone: '9812345678' }
const board = { deviceCode: 'BT4', deviceMac: '34:98:7A:0C:51:E2' }

it.each<[string, object]>([
  ['register', { ...person, ...login, address: 'Kathmandu' }],
  ['verifyRegistration', { otp: '123456', registrationToken: 'x' }],
  ['login', { ...login, email }],
  ['logout', {}],
  ['refreshToken', {}],
  ['updateAccount', {}],
  ['changePassword', { oldPassword: 'x', newPassword: 'lamp under' }],
  ['verifyEmail', { otp: '123456' }],
  ['verifyPhone', { otp: '123456' }],
  ['verifyEmailLink', { token: 'x' }],
  ['verifyPhoneLink', { token: 'x' }],
  ['verifyResetToken', { token: 'x' }],
  ['deleteMyAccount', { password: 'x' }],
  ['createUser', { ...person, ...login }],
  ['updateUser', {}],
  ['createMonitor', person],
  ['updateMonitor', person],
  ['createRoom', { roomName: 'Hall' }],
  ['updateRoom', { roomName: 'Hall' }],
  ['replaceRoom', { roomName: 'Hall' }],
  ['deleteRoom', {}],
  ['createDevice', { ...board, userId: id }],
  ['updateDevice', {}],
  ['deviceAuth', { ...board, userId: id, hwModel: 'w', osVersion: '1', nonce: 'n' }],
  ['createSwitch', { switchName: 'Lamp', switchIndex: 0, deviceId: id }],
  ['updateSwitch', {}],
  ['updateSwitchRecord', {}],
  ['createSchedule', { ...times, deviceId: id, switchId: id, switchIndex: 0 }],
  ['previewSchedule', { ...times, deviceId: id }],
  ['replaceSchedule', { ...times, deviceId: id, switchId: id, switchIndex: 0 }],
  ['updateSchedule', {}],
  ['createDeviceType', { deviceCode: 'X', deviceName: 'X', hwModel: 'x', numberOfSwitches: 1 }],
  ['updateDeviceType', {}],
  ['uploadFirmwareFile', {}],
  ['updateDeviceFirmware', { deviceId: id, fileName: 'x-1.0.0.bin' }],
  ['updateUnauthorizedLog', { blocked: true }],
  ['createRollout', { fileName: 'x-1.0.0.bin', target: { filter: {} } }],
  ['updateRollout', { state: 'paused' }],
  ['retryRollout', {}],
  ['rollForward', { fileName: 'x-1.0.0.bin' }],
  ['searchEverything', { q: 'la' }],
  ['listOnTimes', {}],
  ['listUsers', {}],
  ['listRooms', {}],
  ['listSwitches', {}],
  ['listFavoriteSwitches', {}],
  ['listSchedules', {}],
  ['listDevices', {}],
  ['listActionLogs', {}],
  ['listAuditLogs', {}],
  ['listUnauthorizedLogs', {}],
  ['listRollouts', {}]
])('%s takes %j, and none of it may be missing', (name, shortest) => {
  expect(refused(name, shortest)).toEqual([])
  for (const missing of Object.keys(shortest)) {
    const rest = Object.fromEntries(Object.entries(shortest).filter(([field]) => field !== missing))
    expect(refused(name, rest)).toEqual([missing])
  }
})

it.each(['createDeviceClaim', 'toggleSchedule'])('%s may be sent without a body', (name) => {
  expect(refused(name)).toEqual([])
})
