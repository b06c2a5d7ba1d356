import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { weekdays } from './constants.ts'
import {
  addDays,
  datesOf,
  durationSeconds,
  faultsOfTimes,
  firesOn,
  minuteOf,
  ruleOf,
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

test('a time of the day is its minute, and back', () => {
  expect([minuteOf('00:00'), minuteOf('18:15'), minuteOf('23:59')]).toEqual([0, 1095, 1439])
  fc.assert(fc.property(minutes, (minute) => minuteOf(timeOf(minute)) === minute))
})

describe('a rule', () => {
  test('of once is a date, and none while that is not known', () => {
    const once = evening({ repeatType: 'once', startTime: '22:00', endTime: '06:00' })
    expect(ruleOf(once, null)).toBeNull()
    expect(ruleOf(once, '2026-12-31')).toEqual({
      start: { kind: 'at', minute: 1320, date: '2026-12-31' },
      end: { kind: 'at', minute: 360, date: '2027-01-01' }
    })
  })

  test('that passes midnight ends on the weekdays after, and a day after its last', () => {
    const nights = { repeatType: 'weekly', repeatDays: ['Fri', 'Sat'], endDate: '2026-11-28' } as const
    const rule = ruleOf(evening({ ...nights, startTime: '23:00', endTime: '01:00' }), null)
    expect(first(rule?.start, '2026-11-20', 9)).toEqual(['2026-11-20', '2026-11-21', '2026-11-27', '2026-11-28'])
    expect(first(rule?.end, '2026-11-20', 9)).toEqual(['2026-11-21', '2026-11-22', '2026-11-28', '2026-11-29'])
  })

  test('that ends later the same day ends on the dates on which it starts', () => {
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

describe('dates', () => {
  test('of a weekly trigger without days are none', () => {
    const never: Trigger = { kind: 'clock', minute: 0, repeat: { every: 'week', days: [], until: null } }
    expect(first(never, '2026-11-20', 1)).toEqual([])
  })

  test('are those on which it fires, in order, none left out', () => {
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

test('a line of a board’s timetable says what its trigger says', () => {
  fc.assert(
    fc.property(triggers, (trigger) => {
      expect(triggerFromWire(triggerToWire(trigger))).toEqual(trigger)
    })
  )
  expect(triggerFromWire({ time: '18:00', repeat: 'once' })).toBeNull()
})

test('what is wrong with times', () => {
  expect(faultsOfTimes(evening())).toEqual([])
  expect(faultsOfTimes(evening({ endTime: '18:00' }))).toEqual(['sameTimes'])
  expect(faultsOfTimes(evening({ repeatType: 'weekly' }))).toEqual(['needDay'])
})
