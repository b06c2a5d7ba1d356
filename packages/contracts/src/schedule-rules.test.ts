import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { weekdays } from './constants.ts'
import { scheduleEntry } from './mqtt/payloads.ts'
import {
  addDays,
  datesOf,
  durationSeconds,
  faultsOfTimes,
  firesOn,
  minuteOf,
  ruleOf,
  runEndsAt,
  timeOf,
  triggerFromWire,
  triggerToWire,
  type ScheduleTimes,
  type Trigger
} from './schedule-rules.ts'

const evening = (changes: Partial<ScheduleTimes> = {}): ScheduleTimes => ({
  startTime: '18:00',
  endTime: '22:00',
  repeatType: 'daily',
  repeatDays: [],
  endDate: null,
  ...changes
})
const first = (trigger: Trigger | undefined, from: string, count: number): string[] => {
  const found: string[] = []
  if (trigger === undefined) return found
  for (const date of datesOf(trigger, from)) if (found.push(date) >= count) break
  return found
}

const minutes = fc.nat(24 * 60 - 1)
const dates = fc.integer({ min: 0, max: 20_000 }).map((day) => addDays('2020-01-01', day))
const until = fc.option(dates, { nil: null })
const triggers: fc.Arbitrary<Trigger> = fc.oneof(
  fc.record({ kind: fc.constant('at' as const), minute: minutes, date: dates }),
  fc.record({
    kind: fc.constant('clock' as const),
    minute: minutes,
    repeat: fc.oneof(
      fc.record({ every: fc.constant('day' as const), until }),
      fc.record({ every: fc.constant('week' as const), days: fc.subarray([...weekdays]), until })
    )
  })
)

test('a time of day converts to its minute and back', () => {
  expect([minuteOf('00:00'), minuteOf('18:15'), minuteOf('23:59')]).toEqual([0, 1095, 1439])
  fc.assert(fc.property(minutes, (minute) => minuteOf(timeOf(minute)) === minute))
})

describe('a rule', () => {
  test('for once is a date, and none while that is unknown', () => {
    const once = evening({ repeatType: 'once', startTime: '22:00', endTime: '06:00' })
    expect(ruleOf(once, null)).toBeNull()
    expect(ruleOf(once, '2026-12-31')).toEqual({
      start: { kind: 'at', minute: 1320, date: '2026-12-31' },
      end: { kind: 'at', minute: 360, date: '2027-01-01' }
    })
  })

  test('that passes midnight ends on the following weekdays, and a day after its last start', () => {
    const nights = { repeatType: 'weekly', repeatDays: ['Fri', 'Sat'], endDate: '2026-11-28' } as const
    const rule = ruleOf(evening({ ...nights, startTime: '23:00', endTime: '01:00' }), null)
    expect(first(rule?.start, '2026-11-20', 9)).toEqual(['2026-11-20', '2026-11-21', '2026-11-27', '2026-11-28'])
    expect(first(rule?.end, '2026-11-20', 9)).toEqual(['2026-11-21', '2026-11-22', '2026-11-28', '2026-11-29'])
  })

  test('for every day that passes midnight has its last end a day after its last start', () => {
    const rule = ruleOf(evening({ endDate: '2026-11-22', endTime: '06:00' }), null)
    expect(rule).toEqual({
      start: { kind: 'clock', minute: 1080, repeat: { every: 'day', until: '2026-11-22' } },
      end: { kind: 'clock', minute: 360, repeat: { every: 'day', until: '2026-11-23' } }
    })
    expect(ruleOf(evening({ endTime: '06:00' }), null)?.end).toMatchObject({ repeat: { until: null } })
  })

  test.each(['daily', 'once'] as const)(
    'that passes the last midnight of all stays one that a board reads: %s',
    (repeatType) => {
      const rule = ruleOf(evening({ repeatType, endDate: '9999-12-31', endTime: '06:00' }), '9999-12-31')
      const ends = rule === null ? null : triggerToWire(rule.end)
      expect(scheduleEntry.shape.date.parse(ends?.date ?? ends?.endDate)).toBe('9999-12-31')
      expect(first(rule?.end, '2026-11-21', 1)).toEqual([repeatType === 'once' ? '9999-12-31' : '2026-11-21'])
    }
  )

  test('that ends later the same day ends on the dates of its starts', () => {
    const rule = ruleOf(evening({ endDate: '2026-11-22' }), null)
    expect(first(rule?.end, '2026-11-21', 9)).toEqual(first(rule?.start, '2026-11-21', 9))
  })

  test.each([
    ['18:15', '22:30', 15_300],
    ['22:00', '04:30', 23_400],
    ['00:00', '23:59', 86_340],
    ['12:01', '12:00', 86_340]
  ])('from %s to %s lasts %i seconds', (start, end, seconds) => {
    expect(durationSeconds(start, end)).toBe(seconds)
  })
})

describe('a run ends', () => {
  const at = (date: string, minute: number): number => Date.parse(`${date}T00:00:00Z`) + minute * 60_000
  /** Of the run that starts on Saturday, 28 November; `endsAt` is its end by the clock. */
  const endOf = (times: ScheduleTimes, endDate: string, endsAt?: number): string => {
    const rule = ruleOf(times, null)
    if (rule === null) throw new Error('no rule')
    const startsAt = at('2026-11-28', rule.start.minute)
    const moments = { endDate, startsAt, endsAt: endsAt ?? at(endDate, rule.end.minute) }
    return new Date(runEndsAt(rule, moments, at)).toISOString()
  }

  test('at its time by the clock', () => {
    expect(endOf(evening(), '2026-11-28')).toBe('2026-11-28T22:00:00.000Z')
    expect(endOf(evening({ endTime: '06:00' }), '2026-11-29')).toBe('2026-11-29T06:00:00.000Z')
  })

  test.each([
    ['before its start', -1],
    ['at its start', 0]
  ])('at its distance from the start if a clock change puts the end %s', (_where, minutesAfter) => {
    const start = at('2026-11-28', 18 * 60)
    expect(endOf(evening(), '2026-11-28', start + minutesAfter * 60_000)).toBe('2026-11-28T22:00:00.000Z')
  })

  const nearlyADay = { startTime: '18:00', endTime: '17:59' } as const
  const late = at('2026-11-29', 18 * 60 + 30)
  test('when the next one starts, if a clock change puts its end later than that', () => {
    expect(endOf(evening(nearlyADay), '2026-11-29', late)).toBe('2026-11-29T18:00:00.000Z')
  })
  test('at its own time if no other starts that day', () => {
    const saturdays = evening({ ...nearlyADay, repeatType: 'weekly', repeatDays: ['Sat'] })
    expect(endOf(saturdays, '2026-11-29', late)).toBe('2026-11-29T18:30:00.000Z')
    expect(endOf(evening({ ...nearlyADay, endDate: '2026-11-28' }), '2026-11-29', late)).toBe(
      '2026-11-29T18:30:00.000Z'
    )
  })
})

describe('dates', () => {
  test('of a weekly trigger without days are none', () => {
    const never: Trigger = { kind: 'clock', minute: 0, repeat: { every: 'week', days: [], until: null } }
    expect(first(never, '2026-11-20', 1)).toEqual([])
  })

  test('are those on which it fires, in order and complete', () => {
    fc.assert(
      fc.property(triggers, dates, (trigger, from) => {
        const days = Array.from({ length: 30 }, (_, day) => addDays(from, day))
        const wanted = days.filter((date) => firesOn(trigger, date))
        const listed: string[] = []
        for (const date of datesOf(trigger, from)) {
          if (date > (days.at(-1) ?? '')) break
          listed.push(date)
        }
        expect(listed).toEqual(wanted)
      })
    )
  })
})

test('a line of a board’s timetable describes its trigger', () => {
  fc.assert(
    fc.property(triggers, (trigger) => {
      expect(triggerFromWire(triggerToWire(trigger))).toEqual(trigger)
    })
  )
  expect(triggerFromWire({ time: '18:00', repeat: 'once' })).toBeNull()
  expect(triggerToWire({ kind: 'clock', minute: 1080, repeat: { every: 'day', until: null } })).toEqual({
    time: '18:00',
    repeat: 'daily'
  })
})

test('invalid times are refused', () => {
  expect(faultsOfTimes(evening())).toEqual([])
  expect(faultsOfTimes(evening({ endTime: '18:00' }))).toEqual(['sameTimes'])
  expect(faultsOfTimes(evening({ repeatType: 'weekly' }))).toEqual(['needDay'])
  expect(faultsOfTimes(evening({ repeatType: 'weekly', repeatDays: ['Sat'] }))).toEqual([])
})
