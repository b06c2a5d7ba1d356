import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import sharp from 'sharp'
import type { Actor } from '../../platform/people/actor.ts'
import { aMac } from '../../testing/a-mac.ts'
import { startApi, type TestApi } from '../../testing/test-api.ts'

let app: TestApi
let admin: Actor

beforeAll(async () => {
  app = await startApi({ at: '2026-11-20T06:00:00Z' })
  admin = app.person('admin')
})
afterAll(() => app.stop())

let codes = 0
const form = (fields: Record<string, string | Blob> = {}): FormData => {
  const data = new FormData()
  const all = {
    deviceCode: `T${(codes += 1)}`,
    deviceName: 'Test',
    hwModel: 'test-1',
    numberOfSwitches: '4',
    ...fields
  }
  for (const [name, value] of Object.entries(all)) data.append(name, value)
  return data
}
const create = (fields: Record<string, string | Blob> = {}) => app.call('POST', '/device-types', admin, form(fields))

test('a type is created from a form, with its picture', async () => {
  const png = await sharp({ create: { width: 4, height: 4, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
  const made = await create({
    deviceName: 'Fan board',
    description: 'One fan',
    numberOfFans: '1',
    fanIndexes: '[2]',
    numberOfSockets: '1',
    socketIndexes: '[3]',
    dimmerIndexes: '[1]',
    deviceImage: new Blob([new Uint8Array(png)], { type: 'image/png' })
  })
  expect(made).toMatchObject({
    statusCode: 201,
    data: {
      deviceName: 'Fan board',
      numberOfSwitches: 4,
      numberOfFans: 1,
      numberOfSockets: 1,
      fanIndexes: [2],
      socketIndexes: [3],
      dimmerIndexes: [1]
    }
  })
  expect(made.data.deviceImage).toMatch(/^\/files\/images\//)
  expect((await app.call('GET', `/device-types/${made.data._id}`, admin)).data).toEqual(made.data)
  const list = await app.call('GET', '/device-types?search=fan%20board', admin)
  expect(list.data.deviceTypes).toEqual([made.data])
  expect(list['total']).toBe(1)
})

async function picture(background: string): Promise<Blob> {
  const { buffer } = await sharp({ create: { width: 4, height: 4, channels: 3, background } })
    .png()
    .toBuffer()
  return new Blob([new Uint8Array(buffer)], { type: 'image/png' })
}
async function withPicture(background: string): Promise<FormData> {
  const change = new FormData()
  change.set('deviceImage', await picture(background))
  return change
}
const statusOf = async (url: string): Promise<number> => (await app.http.get(url)).status

test('a picture that was replaced, or whose type was deleted, cannot be fetched any more', async () => {
  const made = await create({ deviceCode: 'PIC', deviceImage: await picture('red') })
  const path = `/device-types/${made.data._id}`
  const changed = await app.call('PATCH', path, admin, await withPicture('green'))
  await expect.poll(() => statusOf(made.data.deviceImage)).toBe(404)
  expect(await statusOf(changed.data.deviceImage)).toBe(200)
  // Of two admins at the same time, the later one's stays.
  const both = await Promise.all(
    ['blue', 'white'].map(async (colour) => app.call('PATCH', path, admin, await withPicture(colour)))
  )
  const shown = (await app.call('GET', path, admin)).data.deviceImage
  const lost = both.map(({ data }) => data.deviceImage).find((url) => url !== shown)
  await expect.poll(() => statusOf(lost)).toBe(404)
  expect(await statusOf(shown)).toBe(200)
  await app.call('DELETE', path, admin)
  await expect.poll(() => statusOf(shown)).toBe(404)
})

test.each([
  ['change', async (path: string) => app.call('PATCH', path, admin, await withPicture('green'))],
  ['deletion', (path: string) => app.call('DELETE', path, admin)]
])('a type keeps its picture if its %s could not be stored', async (what, write) => {
  const made = await create({ deviceCode: what, deviceImage: await picture('red') })
  // The row of the audit log is the last write of the transaction.
  vi.spyOn(app.connection.model('AuditLog'), 'create').mockRejectedValueOnce(new Error('the database went away'))
  onTestFinished(() => void vi.restoreAllMocks())
  expect((await write(`/device-types/${made.data._id}`)).statusCode).toBe(500)
  expect((await app.call('GET', `/device-types/${made.data._id}`, admin)).data).toEqual(made.data)
  expect(await statusOf(made.data.deviceImage)).toBe(200)
})

test.each([
  [
    { numberOfFans: '2', fanIndexes: '[1]' },
    'fanIndexes',
    'Number of fan indexes must exactly match number of fans (2)'
  ],
  [
    { numberOfSockets: '1', socketIndexes: '[]' },
    'socketIndexes',
    'Number of socket indexes must exactly match number of sockets (1)'
  ],
  [
    { numberOfFans: '1', fanIndexes: '[4]' },
    'fanIndexes',
    'fanIndexes: must be below 4, the number of outlets: 4 is not'
  ],
  [{ numberOfFans: '2', fanIndexes: '[1,1]' }, 'fanIndexes', 'fanIndexes: must not name an outlet twice'],
  [
    { numberOfFans: '1', fanIndexes: '[1]', numberOfSockets: '1', socketIndexes: '[1]' },
    'socketIndexes',
    'socketIndexes: must not name a fan: 1 is one'
  ],
  [
    { numberOfFans: '1', fanIndexes: '[1]', dimmerIndexes: '[0,1]' },
    'dimmerIndexes',
    'dimmerIndexes: must not name a fan: 1 is one'
  ],
  [{ dimmerIndexes: '[4]' }, 'dimmerIndexes', 'dimmerIndexes: must be below 4, the number of outlets: 4 is not'],
  [{ deviceCode: ' ' }, 'deviceCode', 'deviceCode: is required'],
  [{ numberOfSwitches: '-1' }, 'numberOfSwitches', 'numberOfSwitches: must be at least 0'],
  [{ fanIndexes: '1,2' }, 'fanIndexes', 'fanIndexes: must be a JSON array of whole numbers such as [2,3]']
])('%j is refused', async (fields, path, message) => {
  const answer = await create(fields)
  expect(answer).toMatchObject({ statusCode: 400, message })
  expect(answer.errors?.[0]?.path).toBe(path)
})

describe('a type that has boards', () => {
  test('cannot be deleted, and only its name can be changed', async () => {
    // One of the types of every new installation.
    const [data] = (await app.call('GET', '/device-types?search=batti-wall-4', admin)).data.deviceTypes
    await app.device(app.person())
    const path = `/device-types/${data._id}`
    expect(await app.call('DELETE', path, admin)).toMatchObject({
      statusCode: 409,
      message: 'One board is of this type.'
    })
    expect((await app.call('PATCH', path, admin, { numberOfSwitches: 5 })).statusCode).toBe(409)
    expect(
      (await app.call('PATCH', path, admin, { deviceName: 'Wall four', numberOfSwitches: 4 })).data.deviceName
    ).toBe('Wall four')
  })
})

test('a type without boards can be changed and deleted', async () => {
  const { data } = await create({ numberOfFans: '1', fanIndexes: '[1]' })
  const path = `/device-types/${data._id}`
  expect((await app.call('PATCH', path, admin, { numberOfFans: 2 })).message).toBe(
    'Number of fan indexes must exactly match number of fans (2)'
  )
  expect((await app.call('PATCH', path, admin, { numberOfFans: 2, fanIndexes: [0, 1] })).data.fanIndexes).toEqual([
    0, 1
  ])
  expect((await app.call('DELETE', path, admin)).statusCode).toBe(200)
  expect((await app.call('GET', path, admin)).statusCode).toBe(404)
})

test('if a type is deleted while a board of it is added, either both remain or neither', async () => {
  const owner = app.person()
  for (let round = 0; round < 3; round += 1) {
    const { data } = await create()
    const board = { userId: owner.userId, deviceCode: data.deviceCode, deviceMac: aMac() }
    const [added, deleted] = await Promise.all([
      app.call('POST', '/devices', admin, board),
      app.call('DELETE', `/device-types/${data._id}`, admin)
    ])
    expect([
      [201, 409],
      [400, 200]
    ]).toContainEqual([added.statusCode, deleted.statusCode])
  }
})

test('a code and model can be used once', async () => {
  await create({ deviceCode: 'SAME' })
  expect((await create({ deviceCode: 'SAME' })).statusCode).toBe(409)
  expect((await create({ deviceCode: 'SAME', hwModel: 'test-2' })).statusCode).toBe(201)
})

test('a board is added by its code, and as the model that is named where several types share the code', async () => {
  await create({ deviceCode: 'TWICE', hwModel: 'wide', numberOfSwitches: '6' })
  const add = (body: object) => {
    const { userId } = app.person()
    return app.call('POST', '/devices', admin, { userId, deviceCode: 'TWICE', deviceMac: aMac(), ...body })
  }
  expect(await add({})).toMatchObject({ statusCode: 201, data: { hwModel: 'wide' } })
  await create({ deviceCode: 'TWICE', hwModel: 'slim', numberOfSwitches: '4' })
  expect(await add({ hwModel: '' })).toMatchObject({ statusCode: 201 })
  expect(await add({ hwModel: 'tall' })).toMatchObject({ statusCode: 400, errors: [{ path: 'hwModel' }] })
  const added = await add({ hwModel: 'slim' })
  expect(added).toMatchObject({ statusCode: 201, data: { hwModel: 'slim' } })
  expect(added.data.switch).toHaveLength(4)
})

test('users see no types; a monitor can read them with view devices', async () => {
  expect((await app.call('GET', '/device-types', app.person())).statusCode).toBe(403)
  const monitor = app.person('monitor', ['view devices'])
  expect((await app.call('GET', '/device-types', monitor)).statusCode).toBe(200)
  expect((await app.call('POST', '/device-types', monitor, form())).statusCode).toBe(403)
})
