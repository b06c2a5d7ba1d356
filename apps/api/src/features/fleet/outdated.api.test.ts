import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Actor } from '../../platform/people/actor.ts'
import { startApi, type TestApi } from '../../testing/test-api.ts'

let app: TestApi
let admin: Actor
let sita: Actor

// One for each test: an instance of an earlier test would store what it heard of a board over what another finds out.
beforeEach(async () => {
  app = await startApi({ at: '2026-11-20T06:10:00Z', isShared: true })
  admin = app.person('admin')
  sita = app.person()
})
afterEach(() => app.stop())

const storedReasons = async (id: string) =>
  (await app.models.devices.findById(id).lean<{ healthReasons?: string[] }>())?.healthReasons
const firmwareFile = (fields: { version: string; filename: string; hwModel: string | null; state: string }) => ({
  versionOrder: fields.version,
  size: 1,
  sha256: '0'.repeat(64),
  from: null,
  keyId: null,
  secureVersion: null,
  createdAt: new Date(app.clock.now()),
  ...fields
})
/** Resolves once the first instance has stored what it heard of a new board, which it does a moment later. */
async function isStored(id: string): Promise<void> {
  const reasons = async () => {
    await app.fleet.sweep()
    return storedReasons(id)
  }
  await expect.poll(reasons).toEqual([])
}

test('a board that runs less than the newest file of its model is outdated: reported, filtered and counted', async () => {
  const old = await app.device(sita)
  await app.models.devices.updateOne({ _id: old.id }, { $set: { hwModel: 'batti-strip', osVersion: '1.4.0' } })
  await isStored(old.id)
  const restarted = await app.another()
  const outdated = async () => {
    await restarted.fleet.sweep()
    const found = await app.call('GET', '/devices?health=outdated', admin)
    return [
      (found.data['devices'] as { _id: string }[]).map(({ _id }) => _id),
      ((await restarted.call('GET', '/fleet', admin)).data as { outdated: number }).outdated
    ]
  }
  expect(await outdated()).toEqual([[], 0])
  const file = (version: string, state: string, hwModel: string | null) =>
    firmwareFile({ version, filename: `strip-${version}.bin`, hwModel, state })
  const files = app.connection.collection('firmwareFiles')
  await files.insertMany([file('1.5.0', 'draft', 'batti-strip'), file('9.9.0', 'released', null)])
  expect(await outdated()).toEqual([[], 0])
  await files.insertOne(file('1.10.0', 'released', 'batti-strip'))
  expect(await outdated()).toEqual([[old.id], 1])
  const { data } = await app.call('GET', `/devices/${old.id}`, sita)
  expect(data['health']).toEqual({ score: 90, reasons: ['outdated'] })
})

test('a board is outdated as soon as a newer file of its model is released, and no longer once that is gone', async () => {
  const old = await app.device(sita)
  await app.models.devices.updateOne({ _id: old.id }, { $set: { hwModel: 'batti-plug-1', osVersion: '1.4.0' } })
  await isStored(old.id)
  const restarted = await app.another()
  await restarted.fleet.sweep()
  await app.connection
    .collection('firmwareFiles')
    .insertOne(firmwareFile({ version: '1.5.0', filename: 'plug-1.5.0.bin', hwModel: 'batti-plug-1', state: 'draft' }))
  const reasons = () => storedReasons(old.id)
  // The periodic sweep would do it too; this shows that nothing waited for it.
  let told = 0
  restarted.events.on('firmware-changed', () => void (told += 1))
  const file = '/device-firmware-files/plug-1.5.0.bin'
  expect((await restarted.call('PATCH', file, admin, { state: 'released' })).statusCode).toBe(200)
  await expect.poll(reasons).toEqual(['outdated'])
  expect((await restarted.call('DELETE', file, admin)).statusCode).toBe(200)
  await expect.poll(reasons).toEqual([])
  expect(told).toBe(2)
})

test('a board is outdated as soon as it reports an older version, also one that no board had before', async () => {
  const { id, mac: deviceMac } = await app.device(sita)
  await app.models.devices.updateOne({ _id: id }, { $set: { hwModel: 'batti-plug-2', osVersion: '1.10.0' } })
  await isStored(id)
  await app.connection
    .collection('firmwareFiles')
    .insertOne(
      firmwareFile({ version: '1.10.0', filename: 'two-1.10.0.bin', hwModel: 'batti-plug-2', state: 'released' })
    )
  // The periodic sweep would do it too, so only a second passes for it.
  vi.useFakeTimers({ toFake: ['setInterval'] })
  const restarted = await app.another()
  await restarted.fleet.sweep()
  const update = { osVersion: '1.9.0' }
  restarted.events.emit('device-changed', { deviceId: id, deviceMac, update, at: app.clock.now() })
  vi.advanceTimersByTime(1000)
  vi.useRealTimers()
  await expect.poll(() => storedReasons(id)).toEqual(['outdated'])
})
