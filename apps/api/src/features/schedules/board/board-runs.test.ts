import { createFakeClock } from '@batti/kit/testing'
import { Types } from 'mongoose'
import { expect, test } from 'vitest'
import type { ConfirmedAs } from '../runs/occurrences.repository.ts'
import { createBoardRuns, type BoardRunsOptions } from './board-runs.ts'
import type { ScheduleDocument } from '../schedule.model.ts'

const minuteMs = 60_000
const at = Date.parse('2026-03-02T18:00:00+05:45')
const deviceId = new Types.ObjectId()
const schedule = {
  _id: new Types.ObjectId(),
  deviceId,
  next: { phase: 'start', date: '2026-03-02', runDate: '2026-03-02', at: new Date(at), isShifted: false }
} as unknown as ScheduleDocument
const entryId = `${String(schedule._id)}:start`

const nextTurn = () => new Promise((resolve) => void setImmediate(resolve))

/** What a report of a board that ran a schedule by itself does: to occurrences that are known, or to none. */
async function note(
  run: { entryId?: string; occurredAt?: number; deviceId?: string },
  {
    rows = [],
    wasMissed = true,
    next = schedule.next
  }: { rows?: { _id: string; dueAt: Date }[]; wasMissed?: boolean; next?: ScheduleDocument['next'] } = {}
) {
  const did = { confirmed: [] as unknown[], removed: [] as string[], claimed: [] as unknown[] }
  const options = {
    schedules: {
      async findById(id: string) {
        expect(id).toMatch(/^[0-9a-f]{24}$/)
        return id === String(schedule._id) ? { ...schedule, next } : null
      }
    },
    occurrences: {
      async findBetween(of: { scheduleId: string; phase: string; deviceId: string }, due: { first: Date; last: Date }) {
        expect(of.phase).toBe((run.entryId ?? entryId).split(':')[1])
        if (of.scheduleId !== String(schedule._id) || of.deviceId !== String(deviceId)) return []
        return rows.filter(({ dueAt }) => dueAt >= due.first && dueAt <= due.last)
      },
      async confirm(id: string, { state, endedAt, byBoard }: ConfirmedAs) {
        expect({ state, byBoard }).toEqual({ state: 'confirmed', byBoard: true })
        did.confirmed.push([id, endedAt.getTime()])
        return wasMissed
      },
      async claim(claimed: unknown[]) {
        await nextTurn()
        did.claimed.push(...claimed)
      }
    },
    async removeLogs(ids: readonly string[]) {
      await nextTurn()
      did.removed.push(...ids)
    },
    clock: createFakeClock(at + 7)
  } as unknown as BoardRunsOptions
  await createBoardRuns(options).noteRun({ entryId, occurredAt: at, deviceId: String(deviceId), ...run } as never)
  return did
}
const nothing = { confirmed: [], removed: [], claimed: [] }
const row = (_id: string, minutes: number) => ({ _id, dueAt: new Date(at + minutes * minuteMs) })

test('the closest occurrence within a quarter of an hour counts as done by the board', async () => {
  const rows = [row('a', -16), row('b', 14), row('c', -3), row('d', 5), row('e', -10)]
  expect(await note({}, { rows, wasMissed: false })).toEqual({ ...nothing, confirmed: [['c', at]] })
  expect((await note({}, { rows: [row('a', 15)] })).confirmed).toEqual([['a', at]])
})

test('an end counts like a start', async () => {
  const end = { entryId: `${String(schedule._id)}:end` }
  expect((await note(end, { rows: [row('a', 0)] })).confirmed).toEqual([['a', at]])
  expect(await note(end)).toEqual(nothing)
})

test('one that was logged as missed loses that row, any other does not', async () => {
  expect((await note({}, { rows: [row('a', 0)] })).removed).toHaveLength(1)
  expect((await note({}, { rows: [row('a', 0)], wasMissed: false })).removed).toEqual([])
})

test('one that the server has not fired yet is written down as done, before it fires', async () => {
  const occurredAt = at + 15 * minuteMs
  const did = await note({ occurredAt }, { rows: [row('a', 31)] })
  expect(did).toMatchObject({
    confirmed: [],
    claimed: [{ state: 'confirmed', byBoard: true, endedAt: new Date(occurredAt), dueAt: new Date(at) }]
  })
  expect(await note({ occurredAt: occurredAt + 1 })).toEqual(nothing)
  expect(await note({}, { next: null })).toEqual(nothing)
  expect(await note({}, { next: { ...schedule.next, phase: 'end' } as ScheduleDocument['next'] })).toEqual(nothing)
})

test.each([
  ['another board', { deviceId: String(new Types.ObjectId()) }],
  ['no schedule', { entryId: `${'0'.repeat(24)}:start` }],
  ['another phase', { entryId: `${String(schedule._id)}:middle` }],
  ['no phase', { entryId: String(schedule._id) }],
  ['no id', { entryId: 'evening:start' }]
])('a report of %s changes nothing', async (_what, run) => {
  expect(await note(run, { rows: [row('a', 0)] })).toEqual(nothing)
})

test.each([
  [true, ['start']],
  [false, ['end']]
])('a late answer confirms only the occurrence whose state it reports (%s)', async (isOn, expected) => {
  const confirmed: unknown[] = []
  const occurredAt = at + 40 * minuteMs
  const options = {
    schedules: { findById: async () => schedule },
    occurrences: {
      findBetween: async ({ phase }: { phase: string }) => [
        { ...row(phase, phase === 'start' ? 0 : 5), switchIndex: 0, action: phase === 'start' ? 'on' : 'off' }
      ],
      confirm: async (id: string, how: ConfirmedAs) => void confirmed.push(id, how)
    },
    findSentAt: async () => at
  } as unknown as BoardRunsOptions
  const answer = { deviceId: String(deviceId), scheduleId: String(schedule._id), commandId: 'c', occurredAt }
  await createBoardRuns(options).noteAnswer({ ...answer, switches: [isOn] })
  expect(confirmed).toEqual([...expected, { state: 'confirmed', endedAt: new Date(occurredAt), byBoard: false }])
})

test('a late answer to a command that is not stored is judged by its own time', async () => {
  const confirmed: unknown[] = []
  const options = {
    occurrences: {
      findBetween: async ({ phase }: { phase: string }, due: { first: Date; last: Date }) =>
        [{ ...row(phase, 0), switchIndex: 0, action: phase === 'start' ? 'on' : 'off' }].filter(
          ({ dueAt }) => dueAt >= due.first && dueAt <= due.last
        ),
      confirm: async (id: string, { state }: ConfirmedAs) => void confirmed.push(id, state)
    },
    findSentAt: async () => null
  } as unknown as BoardRunsOptions
  const answer = { deviceId: String(deviceId), scheduleId: String(schedule._id), commandId: 'c', switches: [true] }
  await createBoardRuns(options).noteAnswer({ ...answer, occurredAt: at + minuteMs })
  expect(confirmed).toEqual(['start', 'late'])
})
