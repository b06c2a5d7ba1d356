import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApi, type TestApi } from '../../testing/test-api.ts'

let app: TestApi
beforeAll(async () => {
  app = await startApi()
})
afterAll(() => app.stop())

test('a board and a type that were stored before there were dimmers can be read', async () => {
  const owner = app.person()
  const { id, mac, switchIds } = await app.device(owner, { fanIndexes: [2], isOnline: false })
  const before = { switch: [true, false, true, false], speed: [7, 0, 140, 0], fanIndexes: [2], socketIndexes: [3] }
  const { insertedId } = await app.connection.collection('deviceTypes').insertOne({
    deviceCode: 'OLD',
    hwModel: 'old-1',
    deviceName: 'Old',
    description: '',
    numberOfSwitches: 4,
    numberOfFans: 1,
    numberOfSockets: 1,
    fanIndexes: [2],
    socketIndexes: [3],
    deviceImage: null,
    createdAt: new Date(),
    updatedAt: new Date()
  })
  await app.models.devices.collection.updateOne({ deviceMac: mac }, { $set: before, $unset: { dimmerIndexes: '' } })

  expect((await app.call('GET', `/devices/${id}`, owner)).data).toMatchObject({
    ...before,
    speed: [0, 0, 140, 0],
    dimmerIndexes: []
  })
  expect((await app.call('GET', `/switches/by-id/${switchIds[2]}`, owner)).data).toMatchObject({
    type: 'fan',
    status: true,
    speed: 140
  })
  expect((await app.call('GET', `/device-types/${String(insertedId)}`, app.person('admin'))).data).toMatchObject({
    fanIndexes: [2],
    socketIndexes: [3],
    dimmerIndexes: []
  })
})
