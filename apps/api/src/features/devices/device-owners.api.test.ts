import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Actor } from '../../platform/people/actor.ts'
import { aMac } from '../../testing/a-mac.ts'
import { startApi, type AddedDevice, type TestApi } from '../../testing/test-api.ts'
import type { Body } from '../../testing/test-instance.ts'

let app: TestApi
let sita: Actor
let ram: Actor
let admin: Actor
let board: AddedDevice
let theirRoom: string
beforeAll(async () => {
  app = await startApi()
  ;[sita, ram, admin] = [app.person(), app.person(), app.person('admin')]
  board = await app.device(sita)
  theirRoom = (await app.call('POST', '/rooms', ram, { roomName: 'Ram’s kitchen' })).data._id
})
afterAll(() => app.stop())

const nowhere = '0123456789abcdef01234567'
/** An answer without the fields that always differ. */
const plain = (answer: Body) => ({ ...answer, requestId: undefined })
const stored = (id = board.id) => app.models.devices.findById(id).lean()

describe('records of another home are answered like missing ones', () => {
  test.each([
    ['its room, for a board of one’s own', 'PATCH', () => `/devices/${board.id}`, (id: string) => ({ setRoom: id })],
    ['its room, by the other name', 'PATCH', () => `/devices/${board.id}`, (id: string) => ({ roomId: id })],
    ['the boards of its room', 'GET', (id: string) => `/devices/by-room/${id}`, () => undefined]
  ])('%s', async (_what, method, path, body) => {
    const ask = async (id: string) => plain(await app.call(method, path(id), sita, body(id)))
    const absent = await ask(nowhere)
    expect(absent).toMatchObject({ statusCode: 404 })
    expect(await ask(theirRoom)).toEqual(absent)
    expect(await stored()).toMatchObject({ setRoom: null })
  })

  test.each(['/devices', '/rooms', '/schedules', '/switch-action-logs'])('%s of its people', async (path) => {
    const ask = async (userId: string) => plain(await app.call('GET', `${path}?userId=${userId}`, sita))
    const absent = await ask(nowhere)
    expect(absent).toMatchObject({ statusCode: 404 })
    expect(await ask(ram.userId)).toEqual(absent)
    expect(await ask(sita.userId)).toMatchObject({ statusCode: 200 })
  })
})

test('an admin can put a board only into a room of its owner', async () => {
  const { id } = await app.device(sita)
  const put = (setRoom: string) => app.call('PATCH', `/devices/${id}`, admin, { setRoom })
  expect(await put(theirRoom)).toMatchObject({ statusCode: 404 })
  const ownRoom: string = (await app.call('POST', '/rooms', sita, { roomName: 'Kitchen' })).data._id
  expect(await put(ownRoom)).toMatchObject({ statusCode: 200, data: { setRoom: { _id: ownRoom } } })
})

test('an admin adds a board only for an account that exists', async () => {
  const added = { userId: nowhere, deviceCode: 'BT4', deviceMac: aMac() }
  const answer = await app.call('POST', '/devices', admin, added)
  expect(answer).toMatchObject({ statusCode: 404, message: 'User was not found.' })
  expect(await app.models.devices.exists({ userId: nowhere })).toBeNull()
})

test('an owner cannot give a board away', async () => {
  const answer = await app.call('PATCH', `/devices/${board.id}`, sita, { userId: ram.userId, setName: 'Ram’s' })
  expect(answer.statusCode).toBeGreaterThanOrEqual(400)
  expect(await stored()).toMatchObject({ setName: '' })
  expect(String((await stored())?.userId)).toBe(sita.userId)
})

test('a board that an admin gives to another user keeps no credential, network or room of its old home', async () => {
  const kept = { credentialHash: 'a hash', pendingHash: 'another', wifiSSID: 'Sita', wifiPassword: 'sealed' }
  const roomId: string = (await app.call('POST', '/rooms', sita, { roomName: 'Hall' })).data._id
  const { id } = await app.device(sita, { roomId })
  await app.models.devices.updateOne({ _id: id }, { $set: kept })
  expect((await app.call('PATCH', `/devices/${id}`, admin, { userId: ram.userId })).statusCode).toBe(200)
  expect(await stored(id)).toMatchObject({
    credentialHash: null,
    pendingHash: null,
    wifiSSID: '',
    wifiPassword: '',
    setRoom: null
  })
  expect((await app.call('GET', `/devices/${id}`, sita)).statusCode).toBe(404)
  expect((await app.call('GET', `/devices/${id}`, ram)).statusCode).toBe(200)
})

test('a board that was given to somebody else does not say to its new owner whose it was', async () => {
  const { id } = await app.device(sita)
  await app.models.devices.updateOne({ _id: id }, { createdBy: sita.userId, updatedBy: sita.userId })
  const by = async (actor: Actor) => (await app.call('GET', `/devices/${id}`, actor)).data
  expect(await by(sita)).toMatchObject({ createdBy: sita.userId, updatedBy: sita.userId })
  await app.call('PATCH', `/devices/${id}`, admin, { userId: ram.userId })
  expect(JSON.stringify(await by(ram))).not.toContain(sita.userId)
  expect(await by(admin)).toMatchObject({ createdBy: sita.userId, updatedBy: admin.userId })
})
