import { randomBytes } from 'node:crypto'
import type { RolloutRecord } from '@batti/contracts'
import { Types } from 'mongoose'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { Actor } from '../../platform/people/actor.ts'
import { startApi, type TestApi } from '../../testing/test-api.ts'
import { createRetries } from './retries.ts'
import type { PendingRetry, RolloutDocument } from './rollout.model.ts'
import { createRolloutsRepository } from './rollouts.repository.ts'
import type { TargetDocument } from './targets/target.model.ts'
import { createTargetsRepository } from './targets/targets.repository.ts'

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
beforeEach(() => app.clock.advance(60_000))

const targets = () => app.connection.collection('rolloutTargets')
const record = async (id: string) => (await app.call('GET', `/rollouts/${id}`, admin)).data as RolloutRecord
const change = (id: string, fields: object) =>
  app.connection.collection('rollouts').updateOne({ _id: new Types.ObjectId(id) }, { $set: fields })
const retry = (id: string, body: object = {}) => app.call('POST', `/rollouts/${id}/retry`, admin, body)

/** A rollout to boards that are only in the database, all of which failed for lack of space. */
async function failedRollout(count: number): Promise<{ id: string; deviceIds: string[] }> {
  const ids = Array.from({ length: count }, () => new Types.ObjectId())
  const same = { osVersion: '1.0.0', isOnline: false, switch: [], earlierBoots: [] }
  const documents = ids.map((_id) => ({ _id, deviceMac: String(_id), ...same }))
  await app.models.devices.collection.insertMany(documents as never)
  const deviceIds = ids.map(String)
  const body = { fileName, target: { deviceIds }, stages: [{ percent: 100 }] }
  const id = (await app.call('POST', '/rollouts', admin, body)).data._id as string
  const fields = { phase: 'failed', isOpen: false, error: { code: 'no-space', detail: null } }
  await targets().updateMany({ rolloutId: new Types.ObjectId(id) }, { $set: fields })
  await change(id, { state: 'done', isActive: false })
  return { id, deviceIds }
}
/** A retry whose instance was killed after its first batch: the rollout runs, and its other boards are not queued yet. */
async function interruptedRetry(count: number, pending: Partial<PendingRetry> = {}) {
  const { id, deviceIds } = await failedRollout(count)
  const rest = { id: 'retry', code: null, deviceIds: null, ...pending }
  await change(id, { state: 'running', isActive: true, retries: [rest] })
  return { id, deviceIds }
}

describe('a retry of thousands of boards', () => {
  test('queues a batch in each transaction, and is in the audit log as a whole', async () => {
    const { id } = await failedRollout(1203)
    const batches = new Map<unknown, number>()
    const hear = ({ command }: { command: Record<string, unknown> & { updates?: unknown[] } }): void => {
      if (command['update'] !== 'rolloutTargets') return
      // Each session counts its own transactions.
      const key = JSON.stringify([command['lsid'], String(command['txnNumber'])])
      batches.set(key, (batches.get(key) ?? 0) + (command.updates?.length ?? 0))
    }
    const client = app.connection.getClient().on('commandStarted', hear)
    onTestFinished(() => void client.off('commandStarted', hear))
    const jobs = async () => new Set(await targets().distinct('jobId', { rolloutId: new Types.ObjectId(id) }))
    const before = await jobs()
    const { statusCode, data } = await retry(id)
    expect([statusCode, data.state, data.counts]).toEqual([200, 'running', { waiting: 1203 }])
    expect([...batches.values()]).toEqual([500, 500, 203])
    const after = await jobs()
    expect([after.size, [...after].filter((job) => before.has(job))]).toEqual([1203, []])
    const { logs } = (await app.call('GET', `/audit-logs?target=${id}&action=rollout.retry`, admin)).data
    expect(logs).toHaveLength(1)
    expect(logs[0].changes).toContainEqual({ field: 'failed', before: 1203, after: 0 })
  })

  test('is continued after a restart, a batch in each pass, and its rollout is not over before', async () => {
    const { id } = await interruptedRetry(503)
    await app.rollouts.tick()
    expect((await record(id)).counts).toEqual({ failed: 3, waiting: 500 })
    await app.rollouts.tick()
    expect(await record(id)).toMatchObject({ state: 'running', counts: { waiting: 503 } })
    // The boards that failed again after that are not queued by it.
    const [once] = await targets()
      .find({ rolloutId: new Types.ObjectId(id) })
      .toArray()
    await targets().updateOne({ _id: once?._id ?? new Types.ObjectId() }, { $set: { phase: 'failed', isOpen: false } })
    await app.rollouts.tick()
    expect((await record(id)).counts).toEqual({ failed: 1, waiting: 502 })
  })

  test('whose rollout is cancelled in the middle queues no more boards', async () => {
    const { id } = await interruptedRetry(501)
    expect((await app.call('PATCH', `/rollouts/${id}`, admin, { state: 'cancelled' })).statusCode).toBe(200)
    await app.rollouts.tick()
    expect(await record(id)).toMatchObject({ state: 'cancelled', counts: { failed: 501 } })
  })

  test('queues each board once if two instances continue it', async () => {
    const { id } = await interruptedRetry(701)
    const other = await app.another()
    const batches = new Set<number>()
    let queued = 0
    const begun = ({ requestId, command }: { requestId: number; command: { update?: string; updates?: unknown[] } }) =>
      command.update === 'rolloutTargets' && (command.updates?.length ?? 0) > 1 && batches.add(requestId)
    const ended = ({ requestId, reply }: { requestId: number; reply: unknown }): void => {
      if (batches.has(requestId)) queued += (reply as { nModified: number }).nModified
    }
    for (const { connection } of [app, other]) {
      const client = connection.getClient().on('commandStarted', begun).on('commandSucceeded', ended)
      onTestFinished(() => void client.off('commandStarted', begun).off('commandSucceeded', ended))
    }
    await Promise.all([app.rollouts.tick(), other.rollouts.tick(), retry(id), retry(id)])
    expect((await record(id)).counts).toEqual({ waiting: 701 })
    expect(queued).toBe(701)
  })

  test('leaves out boards of other rollouts, however many they are', async () => {
    const { id, deviceIds } = await failedRollout(1001)
    const others = deviceIds.slice(0, 1000)
    const body = { fileName, target: { deviceIds: others }, stages: [{ percent: 100 }] }
    expect((await app.call('POST', '/rollouts', admin, body)).statusCode).toBe(201)
    expect(await retry(id, { deviceIds: others })).toMatchObject({ statusCode: 409, code: 'CONFLICT' })
    expect((await retry(id)).data.counts).toEqual({ failed: 1000, waiting: 1 })
  })
})

test('a retry queues no board again that has failed since it queued it', async () => {
  const { id, deviceIds } = await interruptedRetry(2)
  const rolloutId = new Types.ObjectId(id)
  await targets().updateOne({ rolloutId, deviceId: new Types.ObjectId(deviceIds[0]) }, { $set: { retryId: 'retry' } })
  await app.rollouts.tick()
  expect((await record(id)).counts).toEqual({ failed: 1, waiting: 1 })
})

test('a retry does not end a pause that came after it was asked for', async () => {
  const { id } = await failedRollout(1)
  await change(id, { state: 'running', isActive: true })
  const rollouts = createRolloutsRepository(app.connection.model<RolloutDocument>('Rollout'), () => undefined)
  const { retryBoards } = createRetries(
    {
      rollouts,
      targets: createTargetsRepository(app.connection.model<TargetDocument>('RolloutTarget')),
      inTransaction: (work) => work(),
      newJobId: () => 'again',
      now: () => app.clock.now(),
      wake: () => undefined
    },
    {
      load: async () => (await rollouts.findById(id)) as RolloutDocument,
      presentOne: () => Promise.reject(new Error('It was paused.')),
      async findBusy() {
        await change(id, { state: 'paused' })
        return new Set()
      }
    }
  )
  const running = (await rollouts.findById(id)) as RolloutDocument
  await expect(retryBoards(running, {}, (work) => work())).rejects.toMatchObject({ code: 'CONFLICT' })
  expect(await record(id)).toMatchObject({ state: 'paused', counts: { failed: 1 } })
})

test('a retry continues with the boards that were asked for', async () => {
  const { id, deviceIds } = await interruptedRetry(4, { code: 'no-space' })
  const rowOf = (index: number) => ({
    rolloutId: new Types.ObjectId(id),
    deviceId: new Types.ObjectId(deviceIds[index])
  })
  await targets().updateOne(rowOf(0), { $set: { error: { code: 'checksum', detail: null } } })
  await app.rollouts.tick()
  expect((await record(id)).counts).toEqual({ failed: 1, waiting: 3 })
})

test('boards that failed by a clock that was set back since are retried', async () => {
  const { id } = await failedRollout(2)
  await targets().updateMany(
    { rolloutId: new Types.ObjectId(id) },
    { $set: { changedAt: new Date(app.clock.now() + 86_400_000) } }
  )
  expect((await retry(id)).data.counts).toEqual({ waiting: 2 })
})
