import { expect, it } from 'vitest'
import { allRoutes } from '../routes.ts'

const id = '65f0c0ffee65f0c0ffee65f0'
const email = 'sita@example.com'
const phone = '+9779812345678'
const login = { password: 'lamp under' }
const reset = { newPassword: 'lamp under' }
const until = '2030-01-01T00:00:00Z'

/** Paths of the fields that a call refuses in what is sent: its body, or its query if it has none. */
function refused(name: string, sent: object): string[] {
  const route = allRoutes.find((each) => each.name === name)?.route
  const issues = (route?.body ?? route?.query)?.safeParse(sent).error?.issues ?? []
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
