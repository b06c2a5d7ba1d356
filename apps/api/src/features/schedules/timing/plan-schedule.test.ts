import { expect, test } from 'vitest'
import type { AppError } from '../../../platform/app-error.ts'
import { instantOf } from './next-run.ts'
import {
  faultsOfTiming,
  planOrRefuse,
  planSchedule,
  startedRunOf,
  type PlanContext,
  type Timing
} from './plan-schedule.ts'

const zone = 'Asia/Kathmandu'
const on = (date: string, hour: number): number => instantOf(date, hour * 60, zone).at
const evening = (fields: Partial<Timing> = {}): Timing => ({
  startTime: '18:00',
  endTime: '22:00',
  repeatType: 'once',
  repeatDays: [],
  endDate: null,
  ...fields
})
const at = (date: string, hour: number, startedRun: string | null = null): PlanContext => ({
  now: on(date, hour),
  zone,
  startedRun
})
const plan = (runDate: string | null, date: string, phase: 'start' | 'end') => {
  const due = new Date(on(date, phase === 'start' ? 18 : 22))
  const next = { phase, date, runDate: date, at: due, isShifted: false }
  return { runDate, timezone: zone, beforeSetBack: null, next, nextRunAt: due }
}
const nothing = (runDate: string | null) => ({
  runDate,
  timezone: zone,
  beforeSetBack: null,
  next: null,
  nextRunAt: null
})

test('once without a date means the next start: today’s before that time, else tomorrow’s', () => {
  expect(planSchedule(evening(), at('2026-11-20', 17))).toEqual(plan('2026-11-20', '2026-11-20', 'start'))
  expect(planSchedule(evening(), at('2026-11-20', 18))).toEqual(plan('2026-11-21', '2026-11-21', 'start'))
  expect(planSchedule(evening(), at('2026-11-20', 19))).toEqual(plan('2026-11-21', '2026-11-21', 'start'))
})

test('once that is in its run waits for its end; if that has passed, for the next start', () => {
  expect(planSchedule(evening(), at('2026-11-20', 19, '2026-11-20'))).toEqual(plan('2026-11-20', '2026-11-20', 'end'))
  expect(planSchedule(evening(), at('2026-11-20', 22, '2026-11-20'))).toEqual(plan('2026-11-21', '2026-11-21', 'start'))
})

test('once with a date runs on that day alone', () => {
  const dated = evening({ endDate: '2026-11-24' })
  expect(planSchedule(dated, at('2026-11-20', 19))).toEqual(plan('2026-11-24', '2026-11-24', 'start'))
  expect(planSchedule(dated, at('2026-11-24', 19))).toEqual(nothing('2026-11-24'))
  expect(planSchedule(dated, at('2026-11-24', 19, '2026-11-24'))).toEqual(plan('2026-11-24', '2026-11-24', 'end'))
})

test('a repeating schedule waits for its next start; in a run, for the end of that run', () => {
  const daily = evening({ repeatType: 'daily' })
  expect(planSchedule(daily, at('2026-11-20', 19))).toEqual(plan(null, '2026-11-21', 'start'))
  expect(planSchedule(daily, at('2026-11-20', 19, '2026-11-20'))).toEqual(plan(null, '2026-11-20', 'end'))
  const ending = { ...daily, endDate: '2026-11-20' }
  expect(planSchedule(ending, at('2026-11-20', 19))).toEqual(nothing(null))
})

test('only a schedule that waits for an end is in a run', () => {
  const { next } = plan(null, '2026-11-20', 'end')
  expect([startedRunOf(next), startedRunOf({ ...next, phase: 'start' }), startedRunOf(null)]).toEqual([
    '2026-11-20',
    null,
    null
  ])
})

test.each([
  ['2026-11-19', 'The end date has passed.'],
  ['2026-11-20', 'The schedule would not run any more before its end date.']
])('a schedule that would never run is refused with the reason (until %s)', (endDate, message) => {
  const refused = (): unknown => planOrRefuse(evening({ repeatType: 'daily', endDate }), at('2026-11-20', 19))
  expect(refused).toThrow()
  try {
    refused()
  } catch (error) {
    const { code, errors } = error as AppError & { errors: unknown }
    expect({ code, errors }).toEqual({ code: 'VALIDATION', errors: [{ path: 'endDate', message }] })
  }
})

test('a schedule that runs on its last day is accepted until its start', () => {
  const last = evening({ repeatType: 'daily', endDate: '2026-11-20' })
  expect(planOrRefuse(last, at('2026-11-20', 17))).toEqual(plan(null, '2026-11-20', 'start'))
})

test('each fault of the times is named by its field', () => {
  expect(faultsOfTiming(evening())).toEqual([])
  expect(faultsOfTiming(evening({ endTime: '18:00', repeatType: 'weekly' }))).toEqual([
    { path: 'endTime', message: 'Start time and end time must differ.' },
    { path: 'repeatDays', message: 'Please select at least one day for a weekly repeat.' }
  ])
})
