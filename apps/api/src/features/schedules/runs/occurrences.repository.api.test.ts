import { Types, type Connection } from 'mongoose'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { connectTestDatabase } from '../../../testing/test-database.ts'
import type { ScheduleDocument } from '../schedule.model.ts'
import { createOccurrenceModel, type OccurrenceDocument, type OccurrenceState } from './occurrence.model.ts'
import { occurrenceRow } from './occurrence-claims.ts'
import {
  createOccurrencesRepository,
  type OccurrenceEnd,
  type OccurrencesRepository
} from './occurrences.repository.ts'

const due = new Date('2026-11-20T12:15:00Z')
const later = (ms: number): Date => new Date(due.getTime() + ms)
const claim = { by: 'one', at: due, until: later(9000) }
const anyDay = { first: new Date(0), last: later(1e9) }

let connection: Connection
let model: ReturnType<typeof createOccurrenceModel>
let occurrences: OccurrencesRepository
beforeAll(async () => {
  const database = await connectTestDatabase()
  connection = database.connection
  model = createOccurrenceModel(connection)
  occurrences = createOccurrencesRepository(model)
  return database.close
})
beforeEach(async () => {
  await model.deleteMany({})
})

const evening = (fields: Partial<ScheduleDocument> = {}): ScheduleDocument =>
  ({
    _id: new Types.ObjectId(),
    deviceId: new Types.ObjectId(),
    switchIndex: 1,
    startAction: 'on',
    endAction: 'off',
    startTime: '18:00',
    endTime: '22:00',
    planRev: 0,
    next: { phase: 'start', date: '2026-11-20', runDate: '2026-11-20', at: due, isShifted: false },
    ...fields
  }) as ScheduleDocument
const start = { phase: 'start', date: '2026-11-20', isShifted: false, at: due } as const
/** Stores an occurrence of a schedule of its own. */
async function stored(fields: Partial<OccurrenceDocument> = {}, schedule = evening()): Promise<OccurrenceDocument> {
  const row = { ...occurrenceRow(schedule, start, claim), ...fields }
  await occurrences.claim([row])
  return row
}
const find = ({ _id }: Pick<OccurrenceDocument, '_id'>) => model.findById(_id).lean<OccurrenceDocument>()
const stateOf = async (row: Pick<OccurrenceDocument, '_id'>) => (await find(row))?.state

test('an occurrence is what its schedule switches at that time; a changed schedule has new ones', () => {
  const schedule = evening()
  const row = {
    _id: `${String(schedule._id)}:start:2026-11-20`,
    scheduleId: schedule._id,
    deviceId: schedule.deviceId,
    switchIndex: 1,
    phase: 'start',
    action: 'on',
    time: '18:00',
    dueAt: due,
    isShifted: false,
    state: 'firing',
    reason: null,
    claimedBy: 'one',
    claimedAt: due,
    leaseUntil: later(9000),
    endedAt: null,
    byBoard: false
  }
  expect(occurrenceRow(schedule, start, claim)).toEqual(row)
  const end = { ...start, phase: 'end' } as const
  expect(occurrenceRow(schedule, end, claim)).toMatchObject({ phase: 'end', action: 'off', time: '22:00' })
  expect(occurrenceRow({ ...schedule, planRev: 2 }, start, claim)._id).toBe(`${row._id}:2`)
})

test('a claim that is forgotten is gone, unless it has ended or another instance has taken it over', async () => {
  const [own, ended, taken] = [await stored(), await stored({ state: 'confirmed' }), await stored({ claimedBy: 'two' })]
  const sent = await stored()
  await occurrences.forgetClaimed([own, ended, { ...taken, claimedBy: 'one' }])
  expect([await stateOf(own), await stateOf(ended), await stateOf(taken)]).toEqual([undefined, 'confirmed', 'firing'])
  expect(await stateOf(sent)).toBe('firing')
})

test('of several instances one claims an occurrence', async () => {
  const row = await stored()
  const other = await stored({}, evening())
  const third = occurrenceRow(evening(), start, claim)
  expect(await occurrences.claim([{ ...row, claimedBy: 'two' }, third])).toEqual([third])
  expect((await find(row))?.claimedBy).toBe('one')
  expect(await stateOf(other)).toBe('firing')
})

test('what fires at an instant includes what has run, and not what was superseded or skipped', async () => {
  const rows = new Map<string, OccurrenceDocument>()
  for (const state of ['firing', 'confirmed', 'missed', 'superseded', 'skipped'] as const)
    rows.set(state, await stored({ state }))
  await stored({ dueAt: later(1) })
  const found = await occurrences.findSameInstants([due])
  const expected = ['firing', 'confirmed', 'missed'].map((state) => rows.get(state)?._id)
  expect(new Set(found.map(({ _id }) => _id))).toEqual(new Set(expected))
  expect(found[0]).toMatchObject({ switchIndex: 1, dueAt: due, phase: 'start', deviceId: expect.any(Types.ObjectId) })
})

test.each<[OccurrenceState, OccurrenceEnd['state'], OccurrenceState]>([
  ['firing', 'confirmed', 'confirmed'],
  ['firing', 'skipped', 'skipped'],
  ['confirmed', 'missed', 'confirmed'],
  ['confirmed', 'late', 'confirmed'],
  ['missed', 'skipped', 'missed'],
  ['skipped', 'superseded', 'skipped'],
  ['skipped', 'missed', 'skipped'],
  ['skipped', 'confirmed', 'confirmed'],
  ['skipped', 'late', 'late']
])('one that is %s and ends as %s is %s', async (before, end, after) => {
  const [other, row] = [await stored({ state: before }), await stored({ state: before })]
  const ending = { id: row._id, state: end, reason: 'why', endedAt: later(50), claimedBy: 'one' }
  await occurrences.end([ending])
  const ended = after === end && before !== end
  expect(await find(row)).toEqual({ ...row, ...(ended ? { state: end, reason: 'why', endedAt: later(50) } : {}) })
  expect(await find(other)).toEqual(other)
})

test('one that another instance holds is not missed, but confirmed if its command was', async () => {
  const [own, row] = [await stored(), await stored({ claimedBy: 'two' })]
  const end = { id: row._id, reason: null, endedAt: due, claimedBy: 'one' }
  await occurrences.end([{ ...end, state: 'missed' }])
  expect(await Promise.all([own, row].map(stateOf))).toEqual(['firing', 'firing'])
  await occurrences.end([{ ...end, state: 'confirmed' }])
  expect(await stateOf(row)).toBe('confirmed')
})

test('one whose lease has expired is taken over by one instance', async () => {
  const expired = await stored()
  await stored({ leaseUntil: later(9001) })
  await stored({ claimedBy: 'three', leaseUntil: later(18_000) })
  const missed = await stored({ state: 'missed' })
  const second = { by: 'two', at: later(9000), until: later(18_000) }
  expect(await occurrences.takeOver({ ...second, at: later(8999) })).toEqual([])
  expect(await occurrences.takeOver(second)).toEqual([{ ...expired, claimedBy: 'two', leaseUntil: later(18_000) }])
  expect(await occurrences.takeOver({ ...second, by: 'three' })).toEqual([])
  expect(await find(missed)).toEqual(missed)
})

test('an instance postpones only what it holds and has not ended', async () => {
  const [mine, another, ended] = [await stored(), await stored({ claimedBy: 'two' }), await stored({ state: 'missed' })]
  const sent = await stored()
  await occurrences.postpone([mine, { ...another, claimedBy: 'one' }, ended], later(1500))
  const leases = await Promise.all([mine, another, ended, sent].map(async (row) => (await find(row))?.leaseUntil))
  expect(leases).toEqual([later(1500), later(9000), later(9000), later(9000)])
  await occurrences.postpone([], due)
})

test('only what is firing has a lease that can be too long', async () => {
  const [ahead, inTime, ended] = [
    await stored({ leaseUntil: later(9001) }),
    await stored(),
    await stored({ leaseUntil: later(9001), state: 'confirmed' })
  ]
  expect(await occurrences.shortenLeases(later(9000), later(1500))).toMatchObject([{ _id: ahead._id }])
  const leases = await Promise.all([ahead, inTime, ended].map(async (row) => (await find(row))?.leaseUntil))
  expect(leases).toEqual([later(1500), later(9000), later(9001)])
})

test('the missed ones among others are known, and those still to come can be doubted, and then forgotten', async () => {
  const [missed, toCome] = [await stored({ state: 'missed' }), await stored({ state: 'missed', dueAt: later(1) })]
  const firing = await stored({ dueAt: later(1) })
  const ids = [missed, toCome, firing].map(({ _id }) => _id)
  expect(await occurrences.findMissed(ids)).toEqual(new Set([missed._id, toCome._id]))
  expect(await occurrences.findMissed([missed._id])).toEqual(new Set([missed._id]))
  const all = { _id: { $in: ids } }
  expect(await occurrences.forgetDoubted(all)).toEqual([])
  expect(await occurrences.doubtMissedAfter(due)).toMatchObject([{ _id: toCome._id }])
  expect(await occurrences.forgetDoubted({ dueAt: { $gt: due }, claimedAt: { $gte: later(1) } })).toEqual([])
  expect(await occurrences.forgetDoubted(all)).toEqual([toCome._id])
  expect(await Promise.all([missed, toCome, firing].map(stateOf))).toEqual(['missed', undefined, 'firing'])
})

test.each<[OccurrenceState, boolean, OccurrenceState]>([
  ['firing', false, 'late'],
  ['missed', true, 'late'],
  ['skipped', false, 'late'],
  ['confirmed', false, 'confirmed'],
  ['superseded', false, 'superseded']
])('one that is %s and that its board has run: whether it was missed: %s, then it is %s', async (state, was, after) => {
  const [other, row] = [await stored({ state, reason: 'why' }), await stored({ state, reason: 'why' })]
  const how = { state: 'late', endedAt: later(40), byBoard: true } as const
  expect(await occurrences.confirm(row._id, how)).toBe(was)
  expect(await find(row)).toEqual(after === state ? row : { ...row, ...how, reason: null })
  expect(await find(other)).toEqual(other)
})

test('the occurrences of one phase of a schedule, on its board, in a time', async () => {
  const schedule = evening()
  const of = { scheduleId: String(schedule._id), phase: 'start', deviceId: String(schedule.deviceId) } as const
  const at = { first: due, last: later(10) }
  const [first, last] = [await stored({}, schedule), await stored({ dueAt: later(10) }, { ...schedule, planRev: 1 })]
  await stored({ dueAt: later(-1) }, { ...schedule, planRev: 2 })
  await stored({ dueAt: later(11) }, { ...schedule, planRev: 3 })
  await occurrences.claim([occurrenceRow(schedule, { ...start, phase: 'end' }, claim)])
  expect(await occurrences.findBetween(of, at)).toEqual([first, last])
  expect((await occurrences.findBetween({ ...of, phase: 'end' }, at)).map(({ phase }) => phase)).toEqual(['end'])
  expect(await occurrences.findBetween({ ...of, deviceId: String(new Types.ObjectId()) }, at)).toEqual([])
  expect(await occurrences.findBetween({ ...of, scheduleId: String(new Types.ObjectId()) }, at)).toEqual([])
})

test('a due occurrence of a schedule that was changed is superseded, unless it is fired already', async () => {
  const schedule = evening()
  const of = { scheduleId: String(schedule._id), phase: 'start', deviceId: String(schedule.deviceId) } as const
  expect(await occurrences.supersede({ ...schedule, next: null }, due)).toBe(false)
  expect(await occurrences.supersede(schedule, later(-1))).toBe(false)
  expect(await occurrences.findBetween(of, anyDay)).toEqual([])
  expect(await occurrences.supersede(schedule, due)).toBe(false)
  expect(await occurrences.findBetween(of, anyDay)).toEqual([
    expect.objectContaining({
      state: 'superseded',
      reason: 'the schedule was changed',
      endedAt: due,
      claimedBy: '',
      leaseUntil: due
    })
  ])
  expect(await occurrences.supersede(schedule, due)).toBe(true)
})

test('what waits of some schedules is skipped; what has ended, and others, are not', async () => {
  const rows = [await stored(), await stored({ state: 'missed' })]
  const other = await stored()
  await occurrences.skipOfSchedules([], 'why')
  for (const { scheduleId } of rows) await occurrences.skipOfSchedules([String(scheduleId)], 'why')
  expect(await Promise.all([...rows, other].map(stateOf))).toEqual(['skipped', 'missed', 'firing'])
  expect(await Promise.all(rows.map(async (row) => (await find(row))?.reason))).toEqual(['why', null])
})

test('the occurrences of some schedules are deleted, in whatever state; older and newer ones stay', async () => {
  const [older, first, second, newer] = [
    await stored(),
    await stored(),
    await stored({ state: 'missed' }),
    await stored()
  ]
  await occurrences.deleteOfSchedules([])
  await occurrences.deleteOfSchedules([String(first.scheduleId), String(second.scheduleId)])
  const left = await model.find().lean<OccurrenceDocument[]>()
  expect(left.map(({ _id }) => _id)).toEqual([older._id, newer._id])
})
