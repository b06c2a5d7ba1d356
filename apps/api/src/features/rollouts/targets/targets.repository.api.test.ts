import { Types, type Connection } from 'mongoose'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { connectTestDatabase } from '../../../testing/test-database.ts'
import { unavailable } from '../../../platform/app-error.ts'
import { backToWaiting, createTargetModel, type TargetDocument } from './target.model.ts'
import type { Board } from '../boards.repository.ts'
import { createBoardLook } from '../engine/look-at-boards.ts'
import { createSettingsSender } from '../engine/send-settings.ts'
import type { RolloutDocument } from '../rollout.model.ts'
import { createTargetsRepository, type TargetsRepository } from './targets.repository.ts'

const now = new Date('2026-11-20T12:00:00Z')
const at = (ms: number): Date => new Date(now.getTime() + ms)
const rolloutId = new Types.ObjectId()
const rollout = String(rolloutId)

let connection: Connection
let model: ReturnType<typeof createTargetModel>
let targets: TargetsRepository
beforeAll(async () => {
  const database = await connectTestDatabase()
  connection = database.connection
  model = createTargetModel(connection)
  await model.createIndexes()
  targets = createTargetsRepository(model)
  return database.close
})
beforeEach(async () => {
  await model.deleteMany({})
})

const rowOf = (fields: Partial<TargetDocument> = {}): TargetDocument => ({
  _id: new Types.ObjectId(),
  rolloutId,
  deviceId: new Types.ObjectId(),
  deviceMac: 'AABBCCDDEEFF',
  stage: 0,
  isOpen: true,
  isSingle: false,
  ...backToWaiting('job', now),
  ...fields
})
async function add(fields: Partial<TargetDocument> = {}): Promise<TargetDocument> {
  const row = rowOf(fields)
  await model.collection.insertOne(row)
  return row
}
const find = async ({ _id }: TargetDocument): Promise<TargetDocument | null> =>
  model.findById(_id).lean<TargetDocument>()
const idsOf = (list: readonly TargetDocument[]): string[] => list.map(({ _id }) => String(_id))

test('waiting boards of the stages that have begun are looked at when they are due, the longest overdue first', async () => {
  const [second, first, third] = [
    await add({ tryAt: at(-2000) }),
    await add({ tryAt: at(-3000), stage: 1 }),
    await add({ tryAt: now })
  ]
  await add({ tryAt: at(1) })
  await add({ tryAt: at(-9000), stage: 2 })
  await add({ tryAt: at(-9000), phase: 'sent' })
  await add({ tryAt: at(-9000), rolloutId: new Types.ObjectId() })
  expect(idsOf(await targets.findWaiting(rollout, 1, now, 9))).toEqual(idsOf([first, second, third]))
  expect(idsOf(await targets.findWaiting(rollout, 1, now, 2))).toEqual(idsOf([first, second]))
})

test('a check is not postponed for a board that came online or was sent something meanwhile', async () => {
  const [away, back, sent] = [await add(), await add({ tryAt: at(1) }), await add({ phase: 'sent' })]
  const ids = [away, back, sent].map(({ _id }) => _id)
  await targets.postpone(ids, { wait: 'offline', tryAt: at(60_000), lookedAt: now })
  expect(await find(away)).toMatchObject({ wait: 'offline', tryAt: at(60_000) })
  expect(await find(back)).toMatchObject({ wait: null, tryAt: at(1) })
  expect(await find(sent)).toMatchObject({ wait: null, tryAt: now })
})

test('a board that came online is looked at where it waits, and nowhere else', async () => {
  const waiting = await add({ wait: 'offline', tryAt: at(60_000) })
  const { deviceId } = waiting
  const ended = await add({ deviceId, rolloutId: new Types.ObjectId(), isOpen: false, phase: 'skipped' })
  const other = await add({ wait: 'offline', tryAt: at(60_000) })
  await targets.wake(String(deviceId), at(5))
  expect(await find(waiting)).toMatchObject({ wait: null, tryAt: at(5) })
  for (const each of [ended, other]) expect(await find(each)).toEqual(each)
})

test('a target changes only as long as it is what the caller has read', async () => {
  const target = await add({ wait: 'when' })
  expect(await targets.change({ ...target, jobId: 'another' }, { percent: 1 })).toBeNull()
  expect(await targets.change({ ...target, phase: 'sent' }, { percent: 1 })).toBeNull()
  expect(await targets.change(target, { percent: 1 })).toMatchObject({ percent: 1, wait: 'when', isOpen: true })
  expect(await targets.change(target, { phase: 'waiting' })).toMatchObject({ wait: 'when', isOpen: true })
  const sent = await targets.change(target, { phase: 'sent' }, { sends: 1 })
  expect(sent).toMatchObject({ phase: 'sent', wait: null, isOpen: true, sends: 1 })
  expect(sent && (await targets.change(sent, { phase: 'done' }))).toMatchObject({ isOpen: false, sends: 1 })
  expect(await targets.change(target, { phase: 'sent' })).toBeNull()
})

test('of a rollout and a manual update at the same moment one takes the board, the other when that has ended', async () => {
  const ofRollout = await add()
  const { deviceId } = ofRollout
  const single = await add({ deviceId, rolloutId: new Types.ObjectId(), isSingle: true })
  const taken = await Promise.all([ofRollout, single].map((target) => targets.take(target, { sentAt: now })))
  const [one, ...others] = taken.filter((target) => target !== null)
  expect([one?.phase, one?.sends, others]).toEqual(['sent', 1, []])
  const [sent, left] = taken[0] === null ? [single, ofRollout] : [ofRollout, single]
  const asSent = { ...sent, phase: 'sent' as const }
  expect(await targets.change(asSent, { phase: 'waiting' })).not.toBeNull()
  expect(await targets.take(left, {})).not.toBeNull()
  expect(await targets.take(sent, {})).toBeNull()
  await targets.skipDevice(String(deviceId), now)
  expect(await targets.take(await add({ deviceId, rolloutId: new Types.ObjectId() }), {})).not.toBeNull()
})

test('the times of a board move along with the clock once, those since then not at all', async () => {
  const [sentAt, changedAt] = [at(-7200_000), at(-5000)]
  const moved = await add({ phase: 'proving', sentAt, changedAt, tryAt: at(-7200_000) })
  const elsewhere = await add({ rolloutId: new Types.ObjectId(), sentAt })
  const set = { id: 'set', ms: 3600_000, now }
  for (let tries = 0; tries < 2; tries += 1) await targets.moveTimes(rollout, set)
  expect(await find(moved)).toMatchObject({
    sentAt: at(-3600_000),
    changedAt,
    doneAt: null,
    tryAt: now,
    clockSetId: 'set'
  })
  expect(await find(elsewhere)).toEqual(elsewhere)
  await targets.moveTimes(rollout, { id: 'back', ms: -3600_000, now: at(-3600_000) })
  expect(await find(moved)).toMatchObject({ sentAt: at(-7200_000), changedAt: at(-3605_000), tryAt: at(-3600_000) })
})

test('a file is in use while a board works on it, but not while it waits or proves it', async () => {
  const fileId = new Types.ObjectId()
  for (const phase of ['waiting', 'proving'] as const) await add({ fileId, phase })
  await add({ fileId, phase: 'sent', isOpen: false })
  await add({ fileId: new Types.ObjectId(), phase: 'sent' })
  expect(await targets.isUnderWay(String(fileId))).toBe(false)
  await add({ fileId, phase: 'reboot' })
  expect(await targets.isUnderWay(String(fileId))).toBe(true)
})

test('a rollout has more to send until all that is left is proving its last image', async () => {
  const version = '2.0.0'
  const more = () => targets.hasToSend({ _id: rolloutId, version })
  await add({ phase: 'proving', version })
  await add({ phase: 'failed', isOpen: false })
  await add({ rolloutId: new Types.ObjectId() })
  expect(await more()).toBe(false)
  const step = await add({ phase: 'proving', version: '1.5.0' })
  expect(await more()).toBe(true)
  await targets.change(step, { phase: 'waiting', version })
  expect(await more()).toBe(true)
})

test('waiting boards are skipped, about as many as asked for; others stay', async () => {
  const sent = await add({ phase: 'sent' })
  await model.collection.insertMany(Array.from({ length: 401 }, () => rowOf()))
  expect(await targets.skipWaiting(rollout, at(5), 201)).toBe(400)
  expect(await targets.skipWaiting(rollout, at(5), 201)).toBe(1)
  expect(await targets.countsOf(rollout)).toEqual({ sent: 1, skipped: 401 })
  expect(await find(sent)).toEqual(sent)
  expect(await model.countDocuments({ isOpen: false, changedAt: at(5) })).toBe(401)
})

test('boards that have been away since then are skipped in their stages', async () => {
  const gone = { wait: 'offline' as const, changedAt: at(-2) }
  const skipped = await add(gone)
  const kept = [
    await add({ ...gone, stage: 1 }),
    await add({ ...gone, changedAt: at(-1) }),
    await add({ ...gone, wait: 'hours' }),
    await add({ ...gone, phase: 'sent' })
  ]
  expect(await targets.skipAway(rollout, now, { stages: [0], since: at(-1) })).toBe(1)
  expect(await find(skipped)).toMatchObject({ phase: 'skipped', isOpen: false, changedAt: now })
  for (const each of kept) expect(await find(each)).toEqual(each)
})

test('settings that a retry could not store wait again, though the board has confirmed those of before', async () => {
  const change = {
    _id: rolloutId,
    kind: 'settings',
    set: { timezone: 'Asia/Tokyo' },
    isSingle: false
  } as RolloutDocument
  const failed = await add({ phase: 'failed', isOpen: false, rev: 3, error: { code: 'rejected', detail: null } })
  await targets.queueAgain([failed], { newJobId: () => 'job 2', at: now, fields: {} })
  const settings = createSettingsSender({
    targets,
    applySettings: () => Promise.reject(unavailable('The database does not answer.')),
    confirmedRev: () => Promise.resolve(3),
    now: () => now.getTime()
  })
  expect(await settings.send(change, (await find(failed)) ?? failed)).toBeNull()
  const { lookAt } = createBoardLook({
    targets,
    settings,
    firmware: { sendAgain: () => Promise.resolve(null) },
    proveMs: 0,
    now: () => now.getTime(),
    newJobId: () => 'job 3',
    notify: () => undefined
  })
  const board = { isOnline: true, onlineChangedAt: new Date(0), configConfirmedRev: 3 } as Board
  await lookAt(change, (await find(failed)) ?? failed, board)
  expect(await find(failed)).toMatchObject({ phase: 'waiting', isOpen: true })
})
