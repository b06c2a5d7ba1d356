import { minuteOf, ruleOf, weekdays, type ScheduleTimes } from '@batti/contracts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  instantOf,
  localTime,
  nextOccurrences,
  nextStartDate,
  occurrenceAfter,
  rememberInstants,
  type NextRunQuery,
  type Occurrence
} from './next-run.ts'

type Times = ScheduleTimes & { runDate: string | null }
const ruleFor = (times: Times) => {
  const rule = ruleOf(times, times.runDate)
  if (rule === null) throw new Error('a schedule that runs once has no date')
  return rule
}
const next = (times: Times, query: NextRunQuery) => nextOccurrences(ruleFor(times), query)
const following = (times: Times, last: Occurrence, zone: string) => occurrenceAfter(ruleFor(times), last, zone)

const daily = (startTime: string, endTime: string, rest: Partial<Times> = {}): Times => ({
  startTime,
  endTime,
  repeatType: 'daily',
  repeatDays: [],
  endDate: null,
  runDate: null,
  ...rest
})
const at = (iso: string): number => Date.parse(iso)
/** `start 2026-11-01T01:30-04:00`, one a line. */
const runsOf = (timetable: Times, after: string, zone: string, count = 4): string[] =>
  next(timetable, { after: at(after), zone, count }).map(({ phase, at: when }) => `${phase} ${localTime(when, zone)}`)

describe('Kathmandu, which is 5:45 ahead and has no clock changes', () => {
  const zone = 'Asia/Kathmandu'
  test('18:00 there is 12:15 UTC', () => {
    const [start] = next(daily('18:00', '22:00'), { after: at('2026-11-20T00:00Z'), zone, count: 1 })
    expect(new Date(start?.at ?? 0).toISOString()).toBe('2026-11-20T12:15:00.000Z')
  })
  test('the weekday is that of the zone, not of UTC', () => {
    // Saturday 19:00 UTC is Sunday 00:45 in Kathmandu.
    expect(
      runsOf(daily('00:45', '01:00', { repeatType: 'weekly', repeatDays: ['Sun'] }), '2026-11-20T00:00Z', zone, 2)
    ).toEqual(['start 2026-11-22T00:45+05:45', 'end 2026-11-22T01:00+05:45'])
  })
  test('an end before its start is on the next day', () => {
    expect(runsOf(daily('22:00', '06:00'), '2026-11-20T18:00Z', zone, 4)).toEqual([
      'start 2026-11-21T22:00+05:45',
      'end 2026-11-22T06:00+05:45',
      'start 2026-11-22T22:00+05:45',
      'end 2026-11-23T06:00+05:45'
    ])
  })
  test('the end of a weekly run past midnight is on the day after its weekday', () => {
    expect(
      runsOf(daily('23:00', '01:00', { repeatType: 'weekly', repeatDays: ['Fri'] }), '2026-11-20T00:00Z', zone, 3)
    ).toEqual(['start 2026-11-20T23:00+05:45', 'end 2026-11-21T01:00+05:45', 'start 2026-11-27T23:00+05:45'])
  })
})

describe('London', () => {
  const zone = 'Europe/London'
  test('01:30 is skipped on 2027-03-28 and fires at 02:30', () => {
    expect(runsOf(daily('01:30', '05:00'), '2027-03-27T12:00Z', zone, 3)).toEqual([
      'start 2027-03-28T02:30+01:00',
      'end 2027-03-28T05:00+01:00',
      'start 2027-03-29T01:30+01:00'
    ])
  })
  test('01:30 happens twice on 2026-10-25 and fires once, at the first', () => {
    expect(runsOf(daily('01:30', '05:00'), '2026-10-24T12:00Z', zone, 3)).toEqual(
      ['start 2026-10-25T01:30+01:00', 'end 2026-10-25T05:00Z', 'start 2026-10-26T01:30Z'].map((line) =>
        line.replace('Z', '+00:00')
      )
    )
  })
})

describe('New York', () => {
  const zone = 'America/New_York'
  test('01:30 on 2026-11-01 is the first of the two (-04:00), computed in July and in December alike', () => {
    const fires = { after: at('2026-11-01T00:00Z'), zone, count: 1 }
    const [start] = next(daily('01:30', '03:00'), fires)
    expect(localTime(start?.at ?? 0, zone)).toBe('2026-11-01T01:30-04:00')
    const once = daily('01:30', '03:00', { repeatType: 'once', runDate: '2026-11-01' })
    for (const computedAt of ['2026-07-01T12:00Z', '2026-10-31T12:00Z']) {
      expect(runsOf(once, computedAt, zone, 1)).toEqual(['start 2026-11-01T01:30-04:00'])
    }
    // In December the same instant is computed as a past one.
    expect(next(once, { after: at('2026-12-15T12:00Z'), zone, count: 1 })).toEqual([])
  })
  test('after the first 01:30 the second one does not fire', () => {
    expect(runsOf(daily('01:30', '03:00'), '2026-11-01T05:30:00.001Z', zone, 1)).toEqual([
      'start 2026-11-02T01:30-05:00'
    ])
  })
  test('02:30 on 2027-03-14 does not exist and fires once at 03:30, marked as shifted', () => {
    const [start, end, again] = next(daily('02:30', '04:00'), {
      after: at('2027-03-14T05:00Z'),
      zone,
      count: 3
    })
    expect([start, end, again].map((each) => localTime(each?.at ?? 0, zone))).toEqual([
      '2027-03-14T03:30-04:00',
      '2027-03-14T04:00-04:00',
      '2027-03-15T02:30-04:00'
    ])
    expect([start?.isShifted, end?.isShifted, again?.isShifted]).toEqual([true, false, false])
    expect(start?.date).toBe('2027-03-14')
  })
  test('an end that the skipped hour would put before its start keeps its distance', () => {
    expect(runsOf(daily('02:30', '03:00'), '2027-03-14T05:00Z', zone, 2)).toEqual([
      'start 2027-03-14T03:30-04:00',
      'end 2027-03-14T04:00-04:00'
    ])
  })
  test('an end is marked as shifted if its own time is skipped, and if it moves with its start', () => {
    const shifts = (startTime: string, endTime: string) =>
      next(daily(startTime, endTime), { after: at('2027-03-14T05:00Z'), zone, count: 2 }).map((each) => each.isShifted)
    expect(shifts('01:00', '02:30')).toEqual([false, true])
    expect(shifts('02:30', '03:00')).toEqual([true, true])
    expect(shifts('01:00', '03:30')).toEqual([false, false])
  })
  test('a run of nearly a day that the skipped hour lengthens ends where the next one starts', () => {
    const times = next(daily('03:00', '02:45'), { after: at('2027-03-13T05:00Z'), zone, count: 4 })
    expect(times.map(({ phase, at: when }) => `${phase} ${localTime(when, zone)}`)).toEqual([
      'start 2027-03-13T03:00-05:00',
      'end 2027-03-14T03:00-04:00',
      'start 2027-03-14T03:00-04:00',
      'end 2027-03-15T02:45-04:00'
    ])
    const end = times[1]
    expect(end === undefined ? null : following(daily('03:00', '02:45'), end, zone)).toEqual(times[2])
  })
})

describe('Lord Howe, whose clocks change by half an hour', () => {
  const zone = 'Australia/Lord_Howe'
  test('02:15 is skipped on 2026-10-04 and fires at 02:45', () => {
    expect(runsOf(daily('02:15', '06:00'), '2026-10-03T00:00Z', zone, 1)).toEqual(['start 2026-10-04T02:45+11:00'])
  })
  test('02:15 is another time there on that day alone', () => {
    const minute = minuteOf('02:15')
    expect(['2026-10-03', '2026-10-04', '2026-10-05'].map((day) => instantOf(day, minute, zone).isShifted)).toEqual([
      false,
      true,
      false
    ])
  })
  test('01:45 happens twice on 2027-04-04 and fires at the first', () => {
    expect(runsOf(daily('01:45', '06:00'), '2027-04-03T00:00Z', zone, 2)).toEqual([
      'start 2027-04-04T01:45+11:00',
      'end 2027-04-04T06:00+10:30'
    ])
  })
})

test('the end of a run is due although its skipped time moves past the second midnight', () => {
  // In Nuuk it is 22:59, then 00:00, on 2026-03-28.
  const query = { after: at('2026-03-29T01:10Z'), zone: 'America/Nuuk', count: 1, startedRun: '2026-03-27' }
  const [end] = next(daily('23:40', '23:30'), query)
  expect(end).toMatchObject({ phase: 'end', runDate: '2026-03-27', at: at('2026-03-29T01:30Z'), isShifted: true })
})

test('an instant that is remembered is that of its day, time and zone', () => {
  const resolve = rememberInstants()
  const asked: Parameters<typeof instantOf>[] = [
    ['2026-11-20', 600, 'Asia/Kathmandu'],
    ['2026-11-21', 600, 'Asia/Kathmandu'],
    ['2026-11-20', 601, 'Asia/Kathmandu'],
    ['2026-11-20', 600, 'Europe/London']
  ]
  const first = asked.map((each) => resolve(...each))
  expect(first).toEqual(asked.map((each) => instantOf(...each)))
  for (const [index, each] of asked.entries()) expect(resolve(...each)).toBe(first[index])
})

describe('the end of a schedule', () => {
  const zone = 'Asia/Kathmandu'
  test('the end date is the last day of a start; its end past midnight still fires', () => {
    expect(runsOf(daily('22:00', '06:00', { endDate: '2026-11-21' }), '2026-11-21T00:00Z', zone)).toEqual([
      'start 2026-11-21T22:00+05:45',
      'end 2026-11-22T06:00+05:45'
    ])
  })
  test('a single schedule runs once', () => {
    expect(
      runsOf(daily('22:00', '06:00', { repeatType: 'once', runDate: '2026-11-21' }), '2026-11-20T00:00Z', zone)
    ).toEqual(['start 2026-11-21T22:00+05:45', 'end 2026-11-22T06:00+05:45'])
  })
  test('a weekly one without a day never runs', () => {
    expect(runsOf(daily('22:00', '06:00', { repeatType: 'weekly' }), '2026-11-20T00:00Z', zone)).toEqual([])
  })
  test('the end of a run that has started is due only if that run is named', () => {
    const query = { after: at('2026-11-20T14:00Z'), zone, count: 1 }
    expect(next(daily('18:00', '22:00'), query)[0]).toMatchObject({ phase: 'start', date: '2026-11-21' })
    expect(next(daily('18:00', '22:00'), { ...query, startedRun: '2026-11-20' })[0]).toMatchObject({
      phase: 'end',
      date: '2026-11-20'
    })
  })
  test('a run that is named is owed its end until then, and not at that instant', () => {
    const query = { zone, count: 1, startedRun: '2026-11-20' }
    const end = at('2026-11-20T16:15Z')
    expect(next(daily('18:00', '22:00'), { ...query, after: end - 1 })[0]).toMatchObject({ phase: 'end', at: end })
    expect(next(daily('18:00', '22:00'), { ...query, after: end })[0]).toMatchObject({
      phase: 'start',
      date: '2026-11-21'
    })
  })
  test('a run of last night that is named is owed its end this morning', () => {
    const query = { after: at('2026-11-20T20:00Z'), zone, count: 1, startedRun: '2026-11-20' }
    expect(next(daily('22:00', '06:00'), query)[0]).toMatchObject({ phase: 'end', date: '2026-11-21' })
  })
  test('a single one without a date means today if its start is still to come, else tomorrow', () => {
    expect(nextStartDate(minuteOf('18:00'), at('2026-11-20T12:14:59Z'), zone)).toBe('2026-11-20')
    expect(nextStartDate(minuteOf('18:00'), at('2026-11-20T12:15:00Z'), zone)).toBe('2026-11-21')
  })
})

describe('any schedule in any zone', () => {
  const zones = [
    'Asia/Kathmandu',
    'Europe/London',
    'America/New_York',
    'Australia/Lord_Howe',
    'America/Sao_Paulo',
    'Africa/Cairo',
    'UTC'
  ]
  const time = fc
    .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
    .map(([hour, minute]) => `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`)
  const timetable = fc
    .record({
      startTime: time,
      endTime: time,
      repeatType: fc.constantFrom('daily' as const, 'weekly' as const),
      repeatDays: fc.uniqueArray(fc.constantFrom(...weekdays), { minLength: 1 }),
      endDate: fc.constantFrom(null, '2027-01-15', '2027-06-30'),
      runDate: fc.constant(null)
    })
    .filter(({ startTime, endTime }) => startTime !== endTime)
  const instant = fc.integer({ min: at('2026-01-01T00:00Z'), max: at('2027-12-31T00:00Z') })
  const zone = fc.constantFrom(...zones)

  test('has alternating starts and ends in ascending order, none in the past', () => {
    fc.assert(
      fc.property(timetable, instant, zone, (table, after, inZone) => {
        const list = next(table, { after, zone: inZone, count: 12 })
        expect(list.map(({ phase }) => phase)).toEqual(list.map((_, index) => (index % 2 === 0 ? 'start' : 'end')))
        const gaps = list.map((each, index) => each.at - (list[index - 1]?.at ?? after))
        // An end is after its start; a start may be at the very end of the previous run.
        expect(gaps.filter((gap, index) => (index === 0 || index % 2 === 1 ? gap <= 0 : gap < 0))).toEqual([])
      })
    )
  })
  test('has a separate key for each occurrence', () => {
    fc.assert(
      fc.property(timetable, instant, zone, (table, after, inZone) => {
        const keys = next(table, { after, zone: inZone, count: 20 }).map(({ phase, date }) => `${phase}:${date}`)
        expect(new Set(keys).size).toBe(keys.length)
      })
    )
  })
  test('shows its own time on the clock if not shifted, on a day when it may run', () => {
    fc.assert(
      fc.property(timetable, instant, zone, (table, after, inZone) => {
        const list = next(table, { after, zone: inZone, count: 8 })
        const exact = list.filter(({ isShifted }) => !isShifted)
        expect(exact.map(({ at: when }) => localTime(when, inZone).slice(0, 16))).toEqual(
          exact.map(({ phase, date }) => `${date}T${phase === 'start' ? table.startTime : table.endTime}`)
        )
        const days: readonly string[] = table.repeatType === 'weekly' ? table.repeatDays : weekdays
        const offDays = list.filter(
          ({ runDate }) => !days.includes(weekdays[new Date(`${runDate}T00:00Z`).getUTCDay()] ?? '')
        )
        expect(offDays).toEqual([])
        expect(list.filter(({ runDate }) => runDate > (table.endDate ?? '9999'))).toEqual([])
      })
    )
  })
  test('gives the same list step by step', () => {
    fc.assert(
      fc.property(timetable, instant, zone, (table, after, inZone) => {
        const list = next(table, { after, zone: inZone, count: 9 })
        const steps = list.slice(0, -1).map((each) => following(table, each, inZone))
        expect(steps).toEqual(list.slice(1))
      })
    )
  })
})
