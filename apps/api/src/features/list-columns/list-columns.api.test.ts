import { Types } from 'mongoose'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Actor } from '../../platform/people/actor.ts'
import { eveningSchedule } from '../../testing/evening-schedule.ts'
import { startApi, type TestApi } from '../../testing/test-api.ts'

let app: TestApi
let admin: Actor

beforeAll(async () => {
  app = await startApi({ at: '2026-11-20T06:00:00Z' })
  admin = app.person('admin')
})
afterAll(() => app.stop())

async function ok(method: string, path: string, as: Actor, body?: unknown) {
  const answer = await app.call(method, path, as, body)
  expect(answer.statusCode, `${method} ${path}: ${answer.message}`).toBeLessThan(300)
  return answer
}
const row = (collection: string, id: string) =>
  app.connection.collection(collection).findOne({ _id: new Types.ObjectId(id) })
/** A person with a board and a room. */
async function home() {
  const owner = app.person()
  const board = await app.device(owner, { outlets: 2, fanIndexes: [1] })
  const roomId: string = (await ok('POST', '/rooms', owner, { roomName: 'Hall' })).data._id
  await app.listColumns.sweep()
  return { owner, board, roomId }
}

describe('columns stored for sorting stay right', () => {
  test('for boards, whatever users change', async () => {
    const { owner: sita, board, roomId } = await home()
    await ok('PATCH', `/devices/${board.id}`, sita, { setName: 'Kitchen board', setRoom: roomId })
    expect(await row('devices', board.id)).toMatchObject({ list: { owner: sita.name, room: 'Hall' } })
    expect(await row('switches', board.switchIds[1] ?? '')).toMatchObject({
      list: { deviceName: 'Kitchen board', room: 'Hall', type: 'fan', status: false }
    })
    expect(await row('rooms', roomId)).toMatchObject({ counts: { devices: 1 } })
    expect(await row('users', sita.userId)).toMatchObject({ counts: { devices: 1, rooms: 1, schedules: 0 } })
    // Each is looked at before the next change, which would write all columns of the board again.
    await ok('PATCH', `/rooms/${roomId}`, sita, { roomName: 'Great hall' })
    expect(await row('devices', board.id)).toMatchObject({ list: { room: 'Great hall' } })
    await ok('PATCH', `/users/${sita.userId}`, admin, { name: 'Sita Rai' })
    expect(await row('devices', board.id)).toMatchObject({ list: { owner: 'Sita Rai' } })
    await ok('PATCH', `/switches/by-id/${board.switchIds[0]}`, sita, { switchName: 'Lamp' })
    const made = await ok('POST', '/schedules', sita, eveningSchedule(board))
    expect(await row('schedules', made.data._id)).toMatchObject({ list: { device: 'Kitchen board', switch: 'Lamp' } })
    expect(await row('users', sita.userId)).toMatchObject({ counts: { schedules: 1 } })
    expect(await app.listColumns.sweep()).toBe(0)
    await ok('DELETE', `/schedules/${made.data._id}`, sita)
    await ok('POST', '/schedules', sita, eveningSchedule(board))
    await ok('DELETE', `/rooms/${roomId}`, sita)
    expect(await row('devices', board.id)).toMatchObject({ list: { room: null } })
    expect(await app.listColumns.sweep()).toBe(0)
  })

  test('for boards that are added, moved and deleted', async () => {
    const { owner: sita, board } = await home()
    const ram = app.person()
    await ok('POST', '/schedules', sita, eveningSchedule(board))
    await ok('PATCH', `/devices/${board.id}`, admin, { userId: ram.userId })
    expect(await row('users', sita.userId)).toMatchObject({ counts: { devices: 0, schedules: 0 } })
    expect(await row('users', ram.userId)).toMatchObject({ counts: { devices: 1 } })
    expect(await app.listColumns.sweep()).toBe(0)
    const added = await ok('POST', '/devices', admin, {
      userId: ram.userId,
      deviceCode: 'BT4',
      deviceMac: '0A:11:22:33:44:55'
    })
    expect(await row('users', ram.userId)).toMatchObject({ counts: { devices: 2 } })
    await ok('DELETE', `/devices/${added.data._id}`, admin)
    expect(await row('users', ram.userId)).toMatchObject({ counts: { devices: 1 } })
    expect(await app.listColumns.sweep()).toBe(0)
  })

  test('for a change that is stored while another one writes its columns', async () => {
    const hari = app.person()
    const own = await app.device(hari)
    await app.listColumns.sweep()
    /** Makes the next write of columns to that collection wait for `other`. */
    function interrupt(model: string, other: () => Promise<unknown>): void {
      const rows = app.connection.model(model)
      const write = rows.bulkWrite.bind(rows)
      vi.spyOn(rows, 'bulkWrite').mockImplementationOnce(async (changes, options) => {
        await other()
        return write(changes, options)
      })
    }
    const addRoom = () => ok('POST', '/rooms', hari, { roomName: 'Hall' })
    const hall = (await addRoom()).data._id
    const made = await ok('POST', '/schedules', hari, eveningSchedule(own))
    interrupt('User', addRoom)
    await ok('DELETE', `/schedules/${made.data._id}`, hari)
    expect(await row('users', hari.userId)).toMatchObject({ counts: { rooms: 2, schedules: 0 } })
    const putInto = (setRoom: string | null) => ok('PATCH', `/devices/${own.id}`, hari, { setRoom })
    await putInto(hall)
    interrupt('Room', () => putInto(hall))
    await putInto(null)
    expect(await row('rooms', hall)).toMatchObject({ counts: { devices: 1 } })
    interrupt('Switch', () => ok('PATCH', `/devices/${own.id}`, hari, { setName: 'Second' }))
    await ok('PATCH', `/devices/${own.id}`, hari, { setName: 'First' })
    expect(await row('switches', own.switchIds[0] ?? '')).toMatchObject({ list: { deviceName: 'Second' } })
    expect(await app.listColumns.sweep()).toBe(0)
  })

  test('for data reported by boards, a moment later', async () => {
    const sita = app.person()
    const lit = await app.device(sita, { roomId: (await ok('POST', '/rooms', sita, { roomName: 'Attic' })).data._id })
    const attic = String((await row('devices', lit.id))?.['setRoom'])
    await expect.poll(async () => (await row('rooms', attic))?.['counts'].online).toBe(1)
    await app.listColumns.sweep()
    await ok('PATCH', `/switches/by-id/${lit.switchIds[2]}`, sita, { status: true })
    // No list was sorted by it yet.
    expect(await row('switches', lit.switchIds[2] ?? '')).toMatchObject({ list: { status: false } })
    const first = (await ok('GET', '/switches?sort=-status&limit=1', admin)).data as { _id: string }[]
    expect(first).toMatchObject([{ _id: lit.switchIds[2], status: true }])
    lit.board.report({ cause: 'resync', osVersion: '1.10.0' })
    await expect
      .poll(async () => (await row('devices', lit.id))?.['list'])
      .toMatchObject({ version: '000000001.000000010.000000000' })
    lit.board.disconnect()
    await expect.poll(async () => (await row('rooms', attic))?.['counts'].online).toBe(0)
    expect(await app.listColumns.sweep()).toBe(0)
  })
})

test('after a start, which repairs what a killed process or an older version left', async () => {
  const owner = app.person()
  const made = await app.device(owner)
  await app.connection.collection('devices').updateMany({}, { $unset: { list: 1, searchKeys: 1 } })
  await app.connection.collection('users').updateMany({}, { $set: { 'counts.devices': 77 } })
  await ok('PATCH', `/devices/${made.id}`, admin, { name: 'Lantern' })
  await app.connection.collection('audit_logs').updateMany({}, { $unset: { searchKeys: 1 } })
  const restarted = await app.another()
  await expect
    .poll(() => app.connection.collection('audit_logs').countDocuments({ 'searchKeys.target.label': /^ntern/ }))
    .toBe(1)
  await expect
    .poll(async () => (await row('devices', made.id))?.['list'])
    .toMatchObject({ owner: owner.name, room: null })
  await expect.poll(async () => (await row('users', owner.userId))?.['counts'].devices).toBe(1)
  expect((await restarted.call('GET', `/devices?search=${made.mac}`, admin)).data.devices).toMatchObject([
    { _id: made.id }
  ])
})

test('states that the database could not take are written for the next reader', async () => {
  const owner = app.person()
  const lit = await app.device(owner)
  await app.listColumns.sweep()
  const write = vi.spyOn(app.models.switches.collection, 'bulkWrite').mockRejectedValueOnce(new Error('away'))
  await ok('PATCH', `/switches/by-id/${lit.switchIds[1]}`, owner, { status: true })
  await ok('GET', '/switches?sort=-status', admin)
  expect(write).toHaveBeenCalledOnce()
  expect(await row('switches', lit.switchIds[1] ?? '')).toMatchObject({ list: { status: false } })
  await ok('GET', '/switches?sort=-status', admin)
  expect(await row('switches', lit.switchIds[1] ?? '')).toMatchObject({ list: { status: true } })
})

test("a write that hangs, as on a full disk, delays readers, and an admin's home counts what is stored", async () => {
  const own = await startApi({ databaseDeadlineMs: 10_000 })
  const owner = own.person()
  const lit = await own.device(owner, { outlets: 2 })
  const { _id: switchId } = (await own.call('GET', `/switches/by-device/${lit.id}/0`, owner)).data
  const held = Promise.withResolvers<never>()
  const switches = own.models.switches.collection
  const write = vi.spyOn(switches, 'bulkWrite').mockImplementationOnce(() => held.promise)
  expect((await own.call('PATCH', `/switches/by-id/${switchId}`, owner, { status: true })).statusCode).toBe(200)
  for (const path of ['/home', '/switches?sort=-status']) {
    expect((await own.call('GET', path, own.person('admin'))).statusCode, path).toBe(200)
  }
  expect(write).toHaveBeenCalledOnce()
  held.reject(new Error('disk full'))
  await own.stop()
})
