import { hourMs, minuteMs } from '@batti/kit/durations'
import { expect, test } from 'vitest'
import type { ScheduleDocument, WaitedFor } from '../schedule.model.ts'
import { instantOf } from './next-run.ts'
import { planBeforeSetBack, waitedFor } from './set-back.ts'

const zone = 'Asia/Kathmandu'
/** The start or end of the run of that day. */
function occurrence(date: string, phase: 'start' | 'end' = 'start'): WaitedFor {
  const { at, isShifted } = instantOf(date, phase === 'start' ? 18 * 60 : 22 * 60, zone)
  return { runDate: null, next: { phase, date, runDate: date, at: new Date(at), isShifted } }
}
const daily = (fields: Partial<ScheduleDocument>) =>
  ({
    startTime: '18:00',
    endTime: '22:00',
    repeatType: 'daily',
    repeatDays: [],
    endDate: null,
    runDate: null,
    timezone: zone,
    beforeSetBack: null,
    next: null,
    ...fields
  }) as unknown as ScheduleDocument
const dueAt = ({ next }: WaitedFor): number => next.at.getTime()

const lastWeek = occurrence('2026-11-13')
const yesterday = occurrence('2026-11-19')
const today = occurrence('2026-11-20')
const tomorrow = occurrence('2026-11-21')

test('the latest plan is remembered, however often the clock was set back', () => {
  expect(waitedFor(daily({ ...today }))).toEqual(today)
  expect(waitedFor(daily({ ...lastWeek, beforeSetBack: today }))).toBe(today)
  expect(waitedFor(daily({ ...today, beforeSetBack: lastWeek }))).toEqual(today)
  expect(waitedFor(daily({ beforeSetBack: today }))).toBeNull()
})

test('a schedule that is long overdue, because the clock was behind, waits for what it waited for before', () => {
  const behind = daily({ ...lastWeek, beforeSetBack: today })
  const noon = dueAt(today) - 6 * hourMs
  expect(planBeforeSetBack(behind, noon, instantOf)).toBe(today)
  expect(planBeforeSetBack(behind, dueAt(lastWeek) + 5 * minuteMs + 1, instantOf)).toBeNull()
})

test('a schedule is really due that is at most five minutes late, or was not planned anew', () => {
  const late = (beforeSetBack: WaitedFor | null) => daily({ ...yesterday, beforeSetBack })
  expect(planBeforeSetBack(late(today), dueAt(yesterday) + 5 * minuteMs + 1, instantOf)).toBe(today)
  expect(planBeforeSetBack(late(today), dueAt(yesterday) + 5 * minuteMs, instantOf)).toBeNull()
  expect(planBeforeSetBack(late(null), dueAt(today), instantOf)).toBeNull()
  expect(planBeforeSetBack(late(lastWeek), dueAt(yesterday) + hourMs, instantOf)).toBeNull()
  expect(planBeforeSetBack(late(yesterday), dueAt(yesterday) + hourMs, instantOf)).toBeNull()
  expect(planBeforeSetBack(daily({ beforeSetBack: today }), dueAt(today), instantOf)).toBeNull()
})

test('a plan that skips the next start was made by a clock that was ahead, and is not restored', () => {
  const behind = daily({ ...lastWeek, beforeSetBack: tomorrow })
  expect(planBeforeSetBack(behind, dueAt(today) - hourMs, instantOf)).toBeNull()
  expect(planBeforeSetBack(behind, dueAt(today) + hourMs, instantOf)).toBe(tomorrow)
})

test('the end of a run that has started is waited for again', () => {
  const end = occurrence('2026-11-20', 'end')
  const behind = daily({ ...lastWeek, beforeSetBack: end })
  expect(planBeforeSetBack(behind, dueAt(end) - hourMs, instantOf)).toBe(end)
})

test('a plan whose time has passed meanwhile is restored, so that it counts as missed, if nothing is left after it', () => {
  const last = daily({ ...lastWeek, beforeSetBack: today, endDate: '2026-11-20' })
  expect(planBeforeSetBack(last, dueAt(today) + 6 * hourMs, instantOf)).toBe(today)
})
