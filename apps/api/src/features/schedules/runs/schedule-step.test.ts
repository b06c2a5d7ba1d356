import { dayMs, hourMs } from '@batti/kit/durations'
import { expect, test } from 'vitest'
import type { ScheduleDocument } from '../schedule.model.ts'
import { instantOf } from '../timing/next-run.ts'
import { stepAfter } from './schedule-step.ts'

const zone = 'Asia/Kathmandu'
const on = (date: string, time: '18:00' | '22:00'): number =>
  instantOf(date, time === '18:00' ? 18 * 60 : 22 * 60, zone).at
const evening = (date: string, phase: 'start' | 'end', fields: Partial<ScheduleDocument> = {}) =>
  ({
    startTime: '18:00',
    endTime: '22:00',
    repeatType: 'daily',
    repeatDays: [],
    endDate: null,
    runDate: null,
    timezone: zone,
    next: {
      phase,
      date,
      runDate: date,
      at: new Date(on(date, phase === 'start' ? '18:00' : '22:00')),
      isShifted: false
    },
    ...fields
  }) as unknown as ScheduleDocument
/** What it waits for after it has fired, by the local time of its zone. */
function after(schedule: ScheduleDocument, now: number) {
  const { to, schedule: same } = stepAfter(schedule, now, instantOf)
  expect(same).toBe(schedule)
  expect(to.nextRunAt).toEqual(to.next?.at ?? null)
  return to
}
const waitsFor = (date: string, phase: 'start' | 'end') => {
  const at = new Date(on(date, phase === 'start' ? '18:00' : '22:00'))
  return { next: { phase, date, runDate: date, at, isShifted: false }, nextRunAt: at, isActive: true }
}

test('after its start a schedule waits for the end of that run, and then for the next start', () => {
  expect(after(evening('2026-11-20', 'start'), on('2026-11-20', '18:00'))).toEqual(waitsFor('2026-11-20', 'end'))
  expect(after(evening('2026-11-20', 'end'), on('2026-11-20', '22:00'))).toEqual(waitsFor('2026-11-21', 'start'))
})

test('each occurrence of the last seven days is waited for, however late; older ones are passed over', () => {
  const old = evening('2026-11-10', 'start')
  expect(after(old, on('2026-11-10', '22:00') + 7 * dayMs)).toEqual(waitsFor('2026-11-10', 'end'))
  expect(after(old, on('2026-11-10', '22:00') + 7 * dayMs + 1)).toEqual(waitsFor('2026-11-11', 'start'))
  expect(after(old, on('2026-11-18', '18:00') + 7 * dayMs - hourMs)).toEqual(waitsFor('2026-11-18', 'start'))
})

test.each([
  ['once', { repeatType: 'once' as const, runDate: '2026-11-20' }],
  ['until that day', { endDate: '2026-11-20' }]
])('a schedule that runs %s has run out after its end', (_how, fields) => {
  const start = evening('2026-11-20', 'start', fields)
  expect(after(start, on('2026-11-20', '18:00'))).toEqual(waitsFor('2026-11-20', 'end'))
  const now = on('2026-11-20', '22:00') + 7
  expect(after(evening('2026-11-20', 'end', fields), now)).toEqual({
    next: null,
    nextRunAt: null,
    beforeSetBack: null,
    isActive: false,
    ranOut: { at: new Date(now), startedRun: '2026-11-20' }
  })
})

test('a schedule whose last day is long past has run out, and was in no run if its end was passed over', () => {
  const now = on('2026-11-20', '22:00') + 8 * dayMs
  expect(after(evening('2026-11-20', 'start', { endDate: '2026-11-20' }), now)).toMatchObject({
    isActive: false,
    ranOut: { at: new Date(now), startedRun: null }
  })
})

test('a schedule that waits for nothing, or has no day to run on, has run out', () => {
  const now = on('2026-11-20', '18:00')
  for (const fields of [{ next: null }, { repeatType: 'once' as const }])
    expect(after(evening('2026-11-20', 'start', fields), now)).toMatchObject({ isActive: false, next: null })
})
