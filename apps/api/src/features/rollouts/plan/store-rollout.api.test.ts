import { minuteMs } from '@batti/kit/durations'
import { randomBytes } from 'node:crypto'
import { Types } from 'mongoose'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Actor } from '../../../platform/people/actor.ts'
import { startApi, type TestApi } from '../../../testing/test-api.ts'
import { createRolloutPlans, type PlanDocument } from './rollout-plans.ts'
import type { RolloutDocument } from '../rollout.model.ts'
import { createRolloutsRepository } from '../rollouts.repository.ts'
import type { TargetDocument } from '../targets/target.model.ts'
import { createTargetsRepository } from '../targets/targets.repository.ts'

const fileName = 'wall-2.0.0.bin'

let app: TestApi
let admin: Actor
beforeAll(async () => {
  app = await startApi({ at: '2026-11-20T06:00:00Z', hearsQueries: true })
  admin = app.person('admin')
  await upload(fileName)
})
afterAll(() => app.stop())

async function upload(name: string): Promise<void> {
  const form = new FormData()
  form.append('firmware', new Blob([new Uint8Array(randomBytes(500))]), name)
  await app.call('POST', '/device-firmware-files', admin, form)
}

/** Boards that are only in the database. */
async function storedBoards(count: number, fields: object = {}): Promise<string[]> {
  const ids = Array.from({ length: count }, () => new Types.ObjectId())
  const same = { osVersion: '1.0.0', isOnline: false, switch: [], ...fields }
  const documents = ids.map((_id) => ({ _id, deviceMac: String(_id), ...same }))
  await app.models.devices.collection.insertMany(documents as never)
  return ids.map(String)
}

/** Counts the boards of each insert, outside and inside of transactions. */
function hearInserts() {
  const inserted = { outside: [] as number[], inside: [] as number[] }
  const hear = ({ command }: { command: { insert?: string; documents?: unknown[]; autocommit?: boolean } }): void => {
    if (command.insert !== 'rolloutTargets') return
    inserted[command.autocommit === false ? 'inside' : 'outside'].push(command.documents?.length ?? 0)
  }
  const client = app.connection.getClient().on('commandStarted', hear)
  onTestFinished(() => void client.off('commandStarted', hear))
  return inserted
}
function plansByHand() {
  const now = () => app.clock.now()
  const rollouts = createRolloutsRepository(app.connection.model<RolloutDocument>('Rollout'), () => undefined)
  const targets = createTargetsRepository(app.connection.model<TargetDocument>('RolloutTarget'))
  return {
    targets,
    plans: createRolloutPlans({ model: app.connection.model<PlanDocument>('RolloutPlan'), rollouts, targets, now }),
    insert: (id: string, deviceId: string) =>
      targets.insert(id, [{ deviceId, deviceMac: '', stage: 0, isSingle: false }], () => 'job', new Date(now()))
  }
}
const targetsOf = (id: string) => ({ rolloutId: new Types.ObjectId(id) })
const rollout = async (id: string) => (await app.call('GET', `/rollouts/${id}`, admin)).data

test.each([
  ['/rollouts', (deviceIds: string[]) => ({ fileName, target: { deviceIds } })],
  ['/bulk/devices', (deviceIds: string[]) => ({ deviceIds, set: { activeColor: 'red' } })]
])('the boards of %s are stored in batches, and none in the transaction of its audit row', async (path, bodyOf) => {
  const deviceIds = await storedBoards(1203)
  const inserted = hearInserts()
  const made = await app.call('POST', path, admin, bodyOf(deviceIds))
  expect([made.statusCode, made.data.total]).toEqual([201, 1203])
  expect(inserted).toEqual({ outside: [500, 500, 203], inside: [] })
  expect(await app.connection.collection('rolloutPlans').countDocuments()).toBe(0)
})

test('the boards that join a rollout later are stored in batches, each in a transaction with their number', async () => {
  const joining = { labels: ['later'] }
  const body = { fileName, target: { filter: { label: 'later' } }, stages: [{ percent: 100 }], follow: true }
  await storedBoards(1, joining)
  const { _id } = (await app.call('POST', '/rollouts', admin, body)).data
  await storedBoards(603, joining)
  const inserted = hearInserts()
  await app.rollouts.tick()
  expect(inserted).toEqual({ outside: [], inside: [500, 103] })
  expect(await rollout(_id)).toMatchObject({ total: 604, counts: { waiting: 604 }, stages: [{ total: 604 }] })
  await app.call('PATCH', `/rollouts/${_id}`, admin, { state: 'cancelled' })
})

describe('rolling forward', () => {
  const forwardName = 'wall-2.0.1.bin'
  beforeAll(() => upload(forwardName))
  const forward = (id: string) => app.call('POST', `/rollouts/${id}/roll-forward`, admin, { fileName: forwardName })
  /** A rollout that has updated all of its boards, some of which are still being proved. */
  async function updated(count: number, { proving = 0 } = {}) {
    const deviceIds = await storedBoards(count)
    const { _id } = (await app.call('POST', '/rollouts', admin, { fileName, target: { deviceIds } })).data
    const rows = app.connection.collection('rolloutTargets')
    await rows.updateMany(targetsOf(_id), { $set: { phase: 'done', isOpen: false } })
    const last = deviceIds.slice(count - proving).map((id) => new Types.ObjectId(id))
    await rows.updateMany(
      { ...targetsOf(_id), deviceId: { $in: last } },
      { $set: { phase: 'proving', isOpen: true, version: '2.0.0', changedAt: new Date(app.clock.now()) } }
    )
    return { id: _id as string, deviceIds }
  }

  test('stores only boards that the rollout before still has in the transaction that ends it', async () => {
    const { id } = await updated(604, { proving: 2 })
    const inserted = hearInserts()
    const made = await forward(id)
    expect([made.statusCode, made.data.total, made.data.counts]).toEqual([201, 604, { waiting: 604 }])
    expect(inserted).toEqual({ outside: [500, 102], inside: [2] })
    expect(await rollout(id)).toMatchObject({ state: 'cancelled', counts: { done: 604 } })
    expect(await app.connection.collection('rolloutPlans').countDocuments()).toBe(0)
  })

  test('takes no board twice if two people do it at once, and only one new rollout is made', async () => {
    const { id, deviceIds } = await updated(4, { proving: 2 })
    const answers = await Promise.all([forward(id), forward(id)])
    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([201, 409])
    const open = { deviceId: { $in: deviceIds.map((each) => new Types.ObjectId(each)) }, isOpen: true }
    expect(await app.connection.collection('rolloutTargets').countDocuments(open)).toBe(4)
  })

  test('changes nothing if no board is left for it', async () => {
    const { id, deviceIds } = await updated(2)
    const other = { fileName, target: { deviceIds } }
    expect((await app.call('POST', '/rollouts', admin, other)).statusCode).toBe(201)
    expect(await forward(id)).toMatchObject({ statusCode: 409, message: expect.stringContaining('2 busy') })
    expect(await rollout(id)).toMatchObject({ state: 'running', counts: { done: 2 } })
  })
})

test('boards of a rollout whose plan is dropped while they are stored are not left to nobody, nor taken from it', async () => {
  const [first = '', second = ''] = await storedBoards(2)
  const { plans, targets, insert } = plansByHand()
  const slow = new Types.ObjectId().toHexString()
  await plans.begin(slow)
  await insert(slow, first)
  const { deleteOf } = targets
  let couldEnd: boolean | undefined
  targets.deleteOf = async (id) => {
    // Its instance is about to store the rollout.
    couldEnd = await plans.end(id)
    return deleteOf(id)
  }
  app.clock.advance(11 * minuteMs)
  await plans.dropInterrupted()
  expect(couldEnd).toBe(false)
  targets.deleteOf = deleteOf
  await insert(slow, second)
  await plans.drop(slow)
  expect(await targets.findOf(slow, [first, second])).toEqual([])
})

test('boards whose rollout was never stored, because its instance ended, are free after ten minutes', async () => {
  const [deviceId = ''] = await storedBoards(1)
  const { plans, targets, insert } = plansByHand()
  const lost = new Types.ObjectId().toHexString()
  await plans.begin(lost)
  await insert(lost, deviceId)
  const ask = () => app.call('POST', '/rollouts', admin, { fileName, target: { deviceIds: [deviceId] } })
  expect(await ask()).toMatchObject({ statusCode: 409, message: expect.stringContaining('1 busy') })
  app.clock.advance(9 * minuteMs)
  expect((await ask()).statusCode).toBe(409)
  app.clock.advance(2 * minuteMs)
  expect((await ask()).statusCode).toBe(201)
  expect(await plans.end(lost)).toBe(false)
  expect(await targets.findOf(lost, [deviceId])).toEqual([])
})
