import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Actor } from '../platform/people/actor.ts'
import { startApi, type AddedDevice, type TestApi } from '../testing/test-api.ts'
import { namesInOneSpelling } from './0004-one-spelling.ts'

const searched = 'Küche'
const stored = searched.normalize('NFD')

let app: TestApi
let sita: Actor
let board: AddedDevice
let roomId: string
beforeAll(async () => {
  app = await startApi()
  sita = app.person()
  board = await app.device(sita)
  const room = await app.call('POST', '/rooms', sita, { roomName: 'Hall' })
  roomId = room.data._id
  await app.call('PATCH', `/devices/${board.id}`, sita, { setRoom: roomId })
  await app.listColumns.sweep()
})
afterAll(() => app.stop())

/** Writes as an earlier version did: text and keys in the spelling that came. */
async function write(collection: string, id: string, values: Record<string, unknown>): Promise<void> {
  const keys = Object.keys(values).map((field) => [`searchKeys.${field}`, [stored.toLowerCase()]])
  const $set = { ...values, ...Object.fromEntries(keys) }
  await app.connection.collection(collection).updateOne({ _id: new Types.ObjectId(id) }, { $set })
}
const row = (collection: string, id: string) =>
  app.connection.collection(collection).findOne({ _id: new Types.ObjectId(id) })
async function migrate(): Promise<void> {
  if (app.connection.db === undefined) throw new Error('not connected')
  await namesInOneSpelling.run(app.connection.db, new Date(0))
}

test('names of before are found by the spelling that people type, and lists show it', async () => {
  await write('rooms', roomId, { roomName: stored })
  await write('devices', board.id, { setName: `${stored} 1`, labels: [stored, 'lab'] })
  await write('switches', board.switchIds[0] ?? '', { switchName: `${stored} 2` })
  const found = async (list: string) => (await app.call('GET', `/${list}?search=${searched}`, sita)).data.total
  expect(await Promise.all(['rooms', 'switches'].map(found))).toEqual([0, 0])
  await Promise.all([migrate(), migrate()])
  await app.listColumns.sweep()
  // Switches are found by the name of their board too.
  expect(await Promise.all(['rooms', 'devices', 'switches'].map(found))).toEqual([1, 1, 4])
  expect(await row('devices', board.id)).toMatchObject({
    setName: `${searched} 1`,
    labels: [searched, 'lab'],
    list: { room: searched }
  })
})

test('other names keep their search keys, and names that are not set stay so', async () => {
  const before = await row('devices', board.id)
  await write('devices', board.id, { setName: null })
  await write('rooms', roomId, { roomName: 'नेपाली कोठा' })
  const room = await row('rooms', roomId)
  await migrate()
  expect(await row('devices', board.id)).toMatchObject({ setName: null, deviceName: before?.['deviceName'] })
  expect(await row('rooms', roomId)).toEqual(room)
})
