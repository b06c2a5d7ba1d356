import { ruleOf, weekdays } from '@batti/contracts'
import { firingsBetween } from '@batti/firmware-sim/device/timetable'
import { dayMs } from '@batti/kit/durations'
import fc from 'fast-check'
import { Types } from 'mongoose'
import { Temporal } from 'temporal-polyfill'
import { expect, test } from 'vitest'
import { boardTimetable } from './board-timetable.ts'
import { supersededAmong } from '../runs/judge-firing.ts'
import { localDate, localTime, nextOccurrences } from '../timing/next-run.ts'

type Schedule = Parameters<typeof boardTimetable>[0][number]
interface Span {
  zone: string
  from: number
  to: number
}

/** What the server switches in that time, and when. */
function byTheServer(schedules: readonly Schedule[], { zone, from, to }: Span): string[] {
  const due = schedules.flatMap((schedule) => {
    const rule = ruleOf(schedule, schedule.runDate)
    const occurrences = rule === null ? [] : nextOccurrences(rule, { after: from - 3 * dayMs, zone, count: 20 })
    return occurrences
      .filter(({ at }) => at > from && at <= to)
      .map(({ at, phase, date }) => ({
        _id: `${String(schedule._id)}:${phase}:${date}`,
        entry: `${String(schedule._id)}:${phase}`,
        switchIndex: schedule.switchIndex,
        deviceId: 'the board',
        dueAt: new Date(at),
        phase
      }))
  })
  const losers = supersededAmong(due)
  return due
    .filter(({ _id }) => !losers.has(_id))
    .map(({ entry, dueAt }) => `${localTime(dueAt.getTime(), zone)} ${entry}`)
}

/** The same for a board without a connection. */
const byTheBoard = (schedules: readonly Schedule[], { zone, from, to }: Span): string[] =>
  firingsBetween(boardTimetable(schedules, 1, zone), from, to).map(
    ({ at, entry }) => `${localTime(at, zone)} ${entry.id}`
  )

const zones = [
  'Africa/Cairo',
  'America/New_York',
  'America/Santiago',
  'America/Scoresbysund',
  'Asia/Beirut',
  'Australia/Lord_Howe',
  'Europe/London'
]

/** Nights with a clock change of their zone, from the evening before to the second morning after. */
const nights = zones.flatMap((zone) => {
  const found: Span[] = []
  let at = Temporal.ZonedDateTime.from(`2026-01-01T00:00[${zone}]`)
  for (let next = at.getTimeZoneTransition('next'); found.length < 6 && next !== null;) {
    at = next
    found.push({ zone, from: at.epochMilliseconds - dayMs, to: at.epochMilliseconds + 2 * dayMs })
    next = at.getTimeZoneTransition('next')
  }
  return found
})

const time = fc
  .oneof(fc.integer({ min: 0, max: 17 }), fc.integer({ min: 0, max: 95 }))
  .map(
    (quarters) => `${String(Math.trunc(quarters / 4)).padStart(2, '0')}:${String((quarters % 4) * 15).padStart(2, '0')}`
  )
const fields = fc
  .record({
    switchIndex: fc.integer({ min: 0, max: 1 }),
    startTime: time,
    endTime: time,
    startAction: fc.constantFrom('on' as const, 'off' as const),
    repeatType: fc.constantFrom('once' as const, 'daily' as const, 'weekly' as const),
    repeatDays: fc.uniqueArray(fc.constantFrom(...weekdays), { minLength: 1 }),
    /** Days after the first of the night. */
    runs: fc.integer({ min: -1, max: 2 }),
    nextRunAt: fc.integer({ min: 0, max: 9 }).map((ms) => new Date(ms))
  })
  .filter(({ startTime, endTime }) => startTime !== endTime)

test('a disconnected board switches the same outlets at the same times as the server, also at clock changes', () => {
  const night = fc.constantFrom(...nights)
  fc.assert(
    fc.property(night, fc.array(fields, { minLength: 1, maxLength: 4 }), (span, list) => {
      const schedules = list.map(({ runs, ...rest }): Schedule => ({
        ...rest,
        _id: new Types.ObjectId(),
        endAction: rest.startAction === 'on' ? 'off' : 'on',
        endDate: null,
        runDate: localDate(span.from + runs * dayMs, span.zone),
        isActive: true
      }))
      expect(byTheBoard(schedules, span).toSorted()).toEqual(byTheServer(schedules, span).toSorted())
    }),
    { numRuns: 300 }
  )
})
