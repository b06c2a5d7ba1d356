import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Route } from './http/route.ts'
import { allRoutes } from './routes.ts'

/** The calls of specification and wire, by method and path, which apps in the field already use. */
const specified = `
POST /user/login|POST /user/register|POST /user/verify-registration|POST /user/forgot-password|POST /user/reset-password
POST /user/logout|GET /user/account|PATCH /user/update-account|PATCH /user/change-password
POST /user/request-email-verification|POST /user/verify-email|POST /user/request-phone-verification|POST /user/verify-phone
DELETE /user/delete-myaccount|GET /users/verify-email|GET /users/verify-phone|GET /users/verify-reset-token
GET /home|GET /dashboard|GET /switches|GET /switches/by-id/{id}|GET /switches/by-device/{deviceId}/{index}
PATCH /switches/by-id/{id}|POST /switches|PATCH /switches/{id}|DELETE /switches/{id}|GET /favorite-switches
GET /devices|GET /devices/{id}|GET /devices/by-room/{roomId}|PATCH /devices/{id}|DELETE /devices/{id}|POST /devices
GET /rooms|POST /rooms|PATCH /rooms/{id}|PUT /rooms/{id}|DELETE /rooms/{id}
GET /users|POST /users|DELETE /users/{id}
GET /schedules|POST /schedules|PATCH /schedules/{id}|PUT /schedules/{id}|PATCH /schedules/toggle/{id}|DELETE /schedules/{id}
GET /switch-action-logs|DELETE /switch-action-logs/{id}|DELETE /switch-action-logs|POST /switch-action-logs
GET /device-types|GET /device-types/{id}|POST /device-types|PATCH /device-types/{id}|DELETE /device-types/{id}
GET /monitors|POST /monitors|PUT /monitors/{id}|DELETE /monitors/{id}
GET /unauthorized-logs|PATCH /unauthorized-logs/{id}|DELETE /unauthorized-logs/{id}
POST /user/refresh-token|PATCH /users/{id}|GET /user/sessions|DELETE /user/sessions/{id}
POST /device-claims|GET /device-claims/{id}|POST /device-auth
GET /update-device-firmware|POST /update-device-firmware|POST /rollouts|POST /rollouts/preview|GET /rollouts|GET /rollouts/{id}
GET /rollouts/{id}/targets|PATCH /rollouts/{id}|POST /rollouts/{id}/retry|POST /rollouts/{id}/roll-forward|POST /bulk/devices
GET /device-firmware-files|POST /device-firmware-files|PATCH /device-firmware-files/{filename}|DELETE /device-firmware-files/{filename}
`
  .trim()
  .split(/[|\n]/)

/** Who makes the calls that need an account: the roles, and a monitor's permission. */
const callers: Record<string, string> = {
  account: `changePassword deleteMyAccount endSession getAccount getDashboard getHome listSessions requestEmailVerification
    requestPhoneVerification updateAccount verifyEmail verifyPhone`,
  'user, admin': `clearMyActionLogs createDeviceClaim createRoom createSchedule deleteActionLog deleteDevice deleteRoom
    deleteSchedule getDeviceClaim previewSchedule replaceRoom toggleSchedule updateDevice updateRoom updateSchedule`,
  'user, admin, view devices': `getDevice getDeviceHistory listDeviceEvents listDevices listDevicesByRoom listRooms`,
  'user, admin, view switches': `getSwitch getSwitchByDevice listFavoriteSwitches listOnTimes listSwitches`,
  'user, admin, control switches': `updateSwitch`,
  'user, admin, view schedules': `listSchedules`,
  'user, admin, view logs': `listActionLogs`,
  'admin, view devices': `getDeviceType getFleet getRollout listDeviceTypes listFirmwareFiles listFleetAttention
    listRolloutTargets listRollouts`,
  'admin, view users': `getUser listUsers`,
  'admin, any': `searchEverything`,
  admin: `bulkDevices clearAllActionLogs createDevice createDeviceType createMonitor createRollout createSwitch createUser
    deleteDeviceType deleteFirmwareFile deleteMonitor deleteSwitch deleteUnauthorizedLog deleteUser
    getUnauthorizedLogImpact listAuditLogs listDeviceFirmware listMonitors listUnauthorizedLogs listUserSessions
    previewRollout replaceSchedule retryRollout rollForward updateDeviceFirmware updateDeviceType updateFirmwareFile
    updateMonitor updateRollout updateSwitchRecord updateUnauthorizedLog updateUser uploadFirmwareFile`
}
const callersOf = ({ access }: Route): string =>
  access.kind === 'roles'
    ? [access.user && 'user', access.admin && 'admin', access.monitor].filter((each) => each !== false).join(', ')
    : access.kind

const calls = allRoutes.map(({ route }) => `${route.method.toUpperCase()} ${route.path}`)

describe('the calls', () => {
  it('include all that specification and wire name', () => {
    expect(specified.filter((call) => !calls.includes(call))).toEqual([])
  })

  it('are each defined once', () => {
    expect(calls.filter((call, index) => calls.indexOf(call) !== index)).toEqual([])
    const names = allRoutes.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
  })

  it('declare every parameter of their path, and no other', () => {
    for (const { name, route } of allRoutes) {
      const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1])
      const inSchema = route.params instanceof z.ZodObject ? Object.keys(route.params.shape) : []
      expect([name, inSchema]).toEqual([name, inPath])
    }
  })

  it('answer 201 if they create something, and only then', () => {
    const made = allRoutes.filter(({ route }) => route.status === 201).map(({ name }) => name)
    expect(made.toSorted()).toEqual([
      'bulkDevices',
      'createDevice',
      'createDeviceClaim',
      'createDeviceType',
      'createMonitor',
      'createRollout',
      'createRoom',
      'createSchedule',
      'createSwitch',
      'createUser',
      'deviceAuth',
      'register',
      'rollForward',
      'uploadFirmwareFile'
    ])
  })

  it('that strangers may make are these alone', () => {
    const open = allRoutes.filter(({ route }) => route.access.kind === 'public').map(({ name }) => name)
    expect(open.toSorted()).toEqual([
      'deviceAuth',
      'forgotPassword',
      'login',
      'logout',
      'refreshToken',
      'register',
      'resetPassword',
      'verifyEmailLink',
      'verifyPhoneLink',
      'verifyRegistration',
      'verifyResetToken'
    ])
  })

  it('are made by these roles, and by monitors with these permissions', () => {
    const byCallers = Map.groupBy(allRoutes, ({ route }) => callersOf(route))
    byCallers.delete('public')
    const found = [...byCallers].map(([who, routes]) => [who, routes.map(({ name }) => name).toSorted()])
    expect(Object.fromEntries(found)).toEqual(
      Object.fromEntries(Object.entries(callers).map(([who, names]) => [who, names.split(/\s+/)]))
    )
  })

  it('that answer a record accept each of its fields or refuse it by name', () => {
    const shapeOf = (schema: unknown): string[] => {
      if (schema instanceof z.ZodOptional) return shapeOf(schema.unwrap())
      return schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
    }
    for (const { name, route } of allRoutes) {
      if (route.shape !== 'record' || route.body === undefined) continue
      const known = [...shapeOf(route.body), ...(route.forbidden ?? []), route.multipart?.file]
      expect([name, shapeOf(route.answer).filter((field) => !known.includes(field))]).toEqual([name, []])
      expect([name, shapeOf(route.body).filter((field) => route.forbidden?.includes(field))]).toEqual([name, []])
    }
  })

  it('never let a monitor change anything, except by a command to a board', () => {
    const writes = allRoutes.filter(
      ({ route }) => route.method !== 'get' && route.access.kind === 'roles' && route.access.monitor !== false
    )
    expect(writes.map(({ name }) => name)).toEqual(['updateSwitch'])
  })

  it('return lists with their paging', () => {
    for (const { name, route } of allRoutes.filter(
      (one) => one.name.startsWith('list') && one.route.query !== undefined
    )) {
      if (route.shape === 'list' || ['listOnTimes', 'listFleetAttention'].includes(name)) continue
      expect([name, Object.keys(route.answer instanceof z.ZodObject ? route.answer.shape : {})]).toEqual([
        name,
        expect.arrayContaining(['total', 'page', 'limit', 'totalPages'])
      ])
    }
  })
})
