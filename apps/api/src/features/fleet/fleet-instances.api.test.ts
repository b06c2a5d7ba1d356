import type { FleetRecord } from '@batti/contracts'
import { expect, onTestFinished, test } from 'vitest'
import { createMemoryCluster } from '../../testing/memory-cluster.ts'
import { startApi } from '../../testing/test-api.ts'
import type { TestInstance } from '../../testing/test-instance.ts'

test('a board whose commands are lost at several instances is failing at each, and so is its recovery', async () => {
  const cluster = createMemoryCluster()
  const one = await startApi({ at: '2026-11-20T06:10:00Z', isShared: true, cluster })
  onTestFinished(() => one.stop())
  const two = await one.another()
  const admin = one.person('admin')
  const { id: deviceId } = await one.device(one.person())
  await one.settled()
  const failingAt = async (instance: TestInstance): Promise<number> => {
    await cluster.settled()
    await instance.fleet.sweep()
    return ((await instance.call('GET', '/fleet', admin)).data as unknown as FleetRecord).failing
  }
  const end = (instance: TestInstance, result: 'confirmed' | 'expired'): void =>
    instance.events.emit('command-ended', { deviceId, result, tookMs: 10, sentAt: one.clock.now() })
  expect([await failingAt(one), await failingAt(two)]).toEqual([0, 0])

  for (const instance of [one, two, one]) end(instance, 'expired')
  expect([await failingAt(one), await failingAt(two)]).toEqual([1, 1])
  for (let answered = 0; answered < 20; answered += 1) end(one, 'confirmed')
  expect([await failingAt(one), await failingAt(two)]).toEqual([0, 0])
})

test('a board that was failing at its former owner is not failing at its next one, at a restart neither', async () => {
  const app = await startApi({ at: '2026-11-20T06:10:00Z', isShared: true })
  onTestFinished(() => app.stop())
  const admin = app.person('admin')
  const { id: deviceId } = await app.device(app.person())
  const failingAt = async (instance: TestInstance): Promise<number> => {
    await instance.fleet.sweep()
    return ((await instance.call('GET', '/fleet', admin)).data as unknown as FleetRecord).failing
  }
  expect(await failingAt(app)).toBe(0)
  for (let lost = 0; lost < 3; lost += 1)
    app.events.emit('command-ended', { deviceId, result: 'expired', tookMs: 10, sentAt: app.clock.now() })
  expect(await failingAt(app)).toBe(1)
  expect(await failingAt(await app.another())).toBe(1)

  await app.call('PATCH', `/devices/${deviceId}`, admin, { userId: app.person().userId })
  await app.settled()
  expect(await failingAt(app)).toBe(0)
  expect(await failingAt(await app.another())).toBe(0)
  expect(await app.connection.collection('device_command_records').countDocuments()).toBe(0)
})
