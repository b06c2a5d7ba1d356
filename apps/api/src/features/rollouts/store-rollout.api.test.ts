import { minuteMs } from '@batti/kit/durations'
import { randomBytes } from 'node:crypto'
import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Actor } from '../../platform/people/actor.ts'
import { startApi, type TestApi } from '../../testing/test-api.ts'
import { createRolloutPlans, type PlanDocument } from './rollout-plans.ts'
import type { TargetDocument } from './target.model.ts'
import { createTargetsRepository } from './targets.repository.ts'

const fileName = 'wall-2.0.0.bin'

let app: TestApi
let admin: Actor
beforeAll(async () => {
  app = await startApi({ at: '2026-11-20T06:00:00Z', hearsQueries: true })
  admin = app.person('admin')
  const form = new FormData()
  form.append('firmware', new Blob([new Uint8Array(randomBytes(500))]), fileName)
  await app.call('POST', '/device-firmware-files', admin, form)
})
afterAll(() => app.stop())

/** Boards that are only in the database. */
async function storedBoards(count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => new Types.ObjectId())
  const documents = ids.map((_id) => ({ _id, deviceMac: String(_id), osVersion: '1.0.0', isOnline: false, switch: [] }))
  await app.models.devices.collection.insertMany(documents as never)
  return ids.map(String)
}

test.each([
  ['/rollouts', (deviceIds: string[]) => ({ fileName, target: { deviceIds } })],
  ['/bulk/devices', (deviceIds: string[]) => ({ deviceIds, set: { activeColor: 'red' } })]
])('the boards of %s are stored in batches, and none in the transaction of its audit row', async (path, bodyOf) => {
  const deviceIds = await storedBoards(1203)
  const inserted: { boards: number; isInTransaction: boolean }[] = []
  const hear = ({ command }: { command: { insert?: string; documents?: unknown[]; autocommit?: boolean } }): void => {
    if (command.insert !== 'rolloutTargets') return
    inserted.push({ boards: command.documents?.length ?? 0, isInTransaction: command.autocommit === false })
  }
  const client = app.connection.getClient().on('commandStarted', hear)
  onTestFinished(() => void client.off('commandStarted', hear))
  const made = await app.call('POST', path, admin, bodyOf(deviceIds))
  expect([made.statusCode, made.data.total]).toEqual([201, 1203])
  expect(inserted).toEqual([500, 500, 203].map((boards) => ({ boards, isInTransaction: false })))
  expect(await app.connection.collection('rolloutPlans').countDocuments()).toBe(0)
})

test('boards whose rollout was never stored, because its instance ended, are free after ten minutes', async () => {
  const [deviceId = ''] = await storedBoards(1)
  const now = () => app.clock.now()
  const targets = createTargetsRepository(app.connection.model<TargetDocument>('RolloutTarget'))
  const plans = createRolloutPlans({ model: app.connection.model<PlanDocument>('RolloutPlan'), targets, now })
  const lost = new Types.ObjectId().toHexString()
  await plans.begin(lost)
  await targets.insert(lost, [{ deviceId, deviceMac: '', stage: 0, isSingle: false }], () => 'job', new Date(now()))
  const ask = () => app.call('POST', '/rollouts', admin, { fileName, target: { deviceIds: [deviceId] } })
  expect(await ask()).toMatchObject({ statusCode: 409, message: expect.stringContaining('1 busy') })
  app.clock.advance(9 * minuteMs)
  expect((await ask()).statusCode).toBe(409)
  app.clock.advance(2 * minuteMs)
  expect((await ask()).statusCode).toBe(201)
  expect(await plans.end(lost)).toBe(false)
  expect(await targets.findOf(lost, [deviceId])).toEqual([])
})
