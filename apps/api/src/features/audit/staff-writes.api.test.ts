import { randomBytes } from 'node:crypto'
import { auditLogRecord, type AuditAction, type AuditLogRecord } from '@batti/contracts'
import { allRoutes } from '@batti/contracts/routes'
import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Actor } from '../../platform/people/actor.ts'
import { aMac } from '../../testing/a-mac.ts'
import { eveningSchedule } from '../../testing/evening-schedule.ts'
import { startApi, type AddedDevice, type TestApi } from '../../testing/test-api.ts'

let app: TestApi
let admin: Actor
let owner: Actor
let lamp: AddedDevice
beforeAll(async () => {
  app = await startApi({ at: '2026-11-20T06:00:00Z' })
  admin = app.person('admin')
  owner = app.person()
  lamp = await app.device(owner)
  lamp.board.report({ cause: 'resync', osVersion: '1.0.0' })
  await app.settled()
})
afterAll(() => app.stop())

/** Calls of admins that change nothing stored, or that belong to an owner's pairing. */
const leavesNothing = ['previewSchedule', 'previewRollout', 'createDeviceClaim']
const password = 'lamp under the stairs 7'
const made: Record<string, string> = {}

const call = async (method: string, path: string, body?: unknown, status = method === 'POST' ? 201 : 200) => {
  const answer = await app.call(method, path, admin, body)
  expect(answer.statusCode, `${method} ${path}: ${answer.message} ${JSON.stringify(answer.errors ?? '')}`).toBe(status)
  return answer.data
}
/** Creates a record and keeps its id under a name of the test. */
const make = async (name: string, path: string, body: unknown): Promise<void> => {
  made[name] = (await call('POST', path, body))._id
}
async function upload(version: string): Promise<void> {
  const form = new FormData()
  form.append('firmware', new Blob([new Uint8Array(randomBytes(500))]), `wall-${version}.bin`)
  await make(`wall-${version}.bin`, '/device-firmware-files', form)
}
const person = (count: number) => ({ name: 'Hari', email: `hari${count}@batti.test`, phone: `+977981234561${count}` })
const schedule = () => ({
  userId: owner.userId,
  ...eveningSchedule(lamp)
})
const rolled = (fileName: string) => ({ fileName, target: { deviceIds: [lamp.id] }, stages: [{ percent: 100 }] })
const refusal = async (): Promise<string> => {
  const _id = new Types.ObjectId()
  const row = { ip: '198.51.100.7', method: 'GET', url: '/', userAgent: '', attempts: 1, timestamp: new Date() }
  await app.connection.model('UnauthorizedLog').collection.insertOne({ _id, ...row, expiresAt: new Date('2030-01-01') })
  return String(_id)
}

/** Every call by which staff change something, in an order that works, and its row. */
const writes: Record<string, [AuditAction, () => Promise<unknown>]> = {
  createUser: ['user.create', () => make('user', '/users', { ...person(1), phone: '9812345600', password })],
  updateUser: ['user.update', () => call('PATCH', `/users/${made['user']}`, { name: 'Hari B.' })],
  deleteUser: ['user.delete', () => call('DELETE', `/users/${made['user']}`)],
  createMonitor: ['monitor.create', () => make('monitor', '/monitors', person(2))],
  updateMonitor: [
    'monitor.update',
    () => call('PUT', `/monitors/${made['monitor']}`, { ...person(2), permissions: ['view users'] })
  ],
  deleteMonitor: ['monitor.delete', () => call('DELETE', `/monitors/${made['monitor']}`)],
  createDeviceType: [
    'device-type.create',
    () => make('type', '/device-types', { deviceCode: 'BTX', deviceName: 'X', hwModel: 'batti-x', numberOfSwitches: 2 })
  ],
  updateDeviceType: ['device-type.update', () => call('PATCH', `/device-types/${made['type']}`, { deviceName: 'Y' })],
  createDevice: [
    'device.create',
    () => make('device', '/devices', { userId: owner.userId, deviceCode: 'BTX', deviceMac: aMac() })
  ],
  updateDevice: ['device.update', () => call('PATCH', `/devices/${made['device']}`, { name: 'Attic' })],
  deleteDevice: ['device.delete', () => call('DELETE', `/devices/${made['device']}`)],
  deleteDeviceType: ['device-type.delete', () => call('DELETE', `/device-types/${made['type']}`)],
  createRoom: ['room.create', () => make('room', '/rooms', { roomName: 'Lab', userId: owner.userId })],
  updateRoom: ['room.update', () => call('PATCH', `/rooms/${made['room']}`, { roomName: 'Lab 2' })],
  replaceRoom: ['room.update', () => call('PUT', `/rooms/${made['room']}`, { roomName: 'Lab 3' })],
  bulkDevices: [
    'bulk.create',
    async () => {
      await call('POST', '/bulk/devices', { deviceIds: [lamp.id], set: { setRoom: made['room'] } })
      await app.rollouts.tick()
      await app.rollouts.tick()
    }
  ],
  deleteRoom: ['room.delete', () => call('DELETE', `/rooms/${made['room']}`)],
  updateSwitch: ['switch.update', () => call('PATCH', `/switches/by-id/${lamp.switchIds[3]}`, { switchName: 'Fan' })],
  updateSwitchRecord: ['switch.update', () => call('PATCH', `/switches/${lamp.switchIds[3]}`, { switchName: 'Fan 2' })],
  deleteSwitch: ['switch.delete', () => call('DELETE', `/switches/${lamp.switchIds[3]}`)],
  createSwitch: [
    'switch.create',
    () => make('switch', '/switches', { deviceId: lamp.id, switchIndex: 3, switchName: 'Fan 3' })
  ],
  createSchedule: ['schedule.create', () => make('schedule', '/schedules', schedule())],
  updateSchedule: ['schedule.update', () => call('PATCH', `/schedules/${made['schedule']}`, { label: 'Evening' })],
  replaceSchedule: [
    'schedule.update',
    () => call('PUT', `/schedules/${made['schedule']}`, { ...schedule(), label: 'Night' })
  ],
  toggleSchedule: ['schedule.update', () => call('PATCH', `/schedules/toggle/${made['schedule']}`)],
  deleteSchedule: ['schedule.delete', () => call('DELETE', `/schedules/${made['schedule']}`)],
  updateUnauthorizedLog: [
    'address.block',
    async () => call('PATCH', `/unauthorized-logs/${(made['refusal'] = await refusal())}`, { blocked: true })
  ],
  deleteUnauthorizedLog: ['unauthorized-log.delete', () => call('DELETE', `/unauthorized-logs/${made['refusal']}`)],
  uploadFirmwareFile: ['firmware-file.create', () => upload('2.0.0')],
  updateFirmwareFile: [
    'firmware-file.update',
    () => call('PATCH', '/device-firmware-files/wall-2.0.0.bin', { from: { min: '1.0.0' } })
  ],
  createRollout: [
    'rollout.create',
    // All boards: a filter that is an empty object is a valid value.
    () => make('rollout', '/rollouts', { ...rolled('wall-2.0.0.bin'), target: { filter: {} } })
  ],
  updateRollout: ['rollout.update', () => call('PATCH', `/rollouts/${made['rollout']}`, { state: 'paused' })],
  retryRollout: [
    'rollout.retry',
    async () => {
      await app.connection.model('RolloutTarget').updateMany({}, { phase: 'failed', isOpen: false })
      await call('POST', `/rollouts/${made['rollout']}/retry`, {}, 200)
    }
  ],
  rollForward: [
    'rollout.roll-forward',
    async () => {
      await app.connection.model('RolloutTarget').updateMany({}, { phase: 'done', isOpen: false })
      await upload('2.1.0')
      const fileName = 'wall-2.1.0.bin'
      const forward = await call('POST', `/rollouts/${made['rollout']}/roll-forward`, { fileName })
      made['forward'] = forward._id
    }
  ],
  updateDeviceFirmware: [
    'firmware.update',
    async () => {
      await call('PATCH', `/rollouts/${made['forward']}`, { state: 'cancelled' })
      const body = { deviceId: lamp.id, fileName: 'wall-2.1.0.bin' }
      await call('POST', '/update-device-firmware', body, 200)
    }
  ],
  deleteFirmwareFile: [
    'firmware-file.delete',
    async () => {
      // A cancelled rollout releases its file when no update with it is in progress.
      await app.rollouts.tick()
      await call('DELETE', '/device-firmware-files/wall-2.0.0.bin')
    }
  ],
  deleteActionLog: [
    'action-log.delete',
    async () => {
      await call('PATCH', `/switches/by-id/${lamp.switchIds[0]}`, { status: true })
      const { logs } = await call('GET', `/switch-action-logs?deviceId=${lamp.id}`)
      await call('DELETE', `/switch-action-logs/${logs[0]._id}`)
    }
  ],
  clearMyActionLogs: [
    'action-log.clear',
    async () => {
      const mine = await app.device(admin, { outlets: 1 })
      await call('PATCH', `/switches/by-id/${mine.switchIds[0]}`, { status: true })
      await call('DELETE', '/switch-action-logs')
    }
  ],
  clearAllActionLogs: [
    'action-log.clear',
    async () => {
      await call('PATCH', `/switches/by-id/${lamp.switchIds[0]}`, { status: false })
      await call('POST', '/switch-action-logs', undefined, 200)
    }
  ]
}

test('every call by which staff change something is listed here', () => {
  const staffWrites = allRoutes.filter(
    ({ name, route }) =>
      route.method !== 'get' &&
      route.access.kind === 'roles' &&
      (route.access.admin || route.access.monitor !== false) &&
      !leavesNothing.includes(name)
  )
  expect(staffWrites.map(({ name }) => name).toSorted()).toEqual(Object.keys(writes).toSorted())
})

test('every one is recorded in one row with the actor', async () => {
  const rows = async (): Promise<AuditLogRecord[]> => (await call('GET', '/audit-logs?sort=-at')).logs
  for (const [name, [action, write]] of Object.entries(writes)) {
    const before = new Set((await rows()).map(({ _id }) => _id))
    app.clock.advance(1000)
    await write()
    const added = (await rows()).filter(({ _id }) => !before.has(_id))
    const ofCall = added.filter((each) => each.action === action)
    expect(ofCall, name).toMatchObject([{ actor: { _id: admin.userId, role: 'admin' } }])
    expect(() => added.map((each) => auditLogRecord.parse(each)), name).not.toThrow()
    expect(JSON.stringify(added), name).not.toMatch(/lamp under|\$2[aby]\$|passwordHash|searchKeys|planRev/)
  }
})
