import { minuteOf, ruleOf, weekdays, type ScheduleTimes } from '@batti/contracts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nextOccurrences } from './next-run.ts'

// A slow model without Temporal: it looks at the zone's clock every minute.
const minuteMs = 60_000
const dayMinutes = 24 * 60
const clocks = new Map<string, Intl.DateTimeFormat>()
const offsets = new Map<string, number>()

/** Returns what the zone's clock shows, as milliseconds since 1970 by that clock. */
function shownAt(at: number, zone: string): number {
  // Clocks change on a quarter of an hour.
  const quarter = Math.floor(at / (15 * minuteMs)) * 15 * minuteMs
  const key = `${zone} ${quarter}`
  const offset = offsets.get(key) ?? readClock(quarter, zone) - quarter
  offsets.set(key, offset)
  return at + offset
}
function readClock(at: number, zone: string): number {
  const clock =
    clocks.get(zone) ?? new Intl.DateTimeFormat('sv', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' })
  clocks.set(zone, clock)
  return Date.parse(`${clock.format(at).replace(' ', 'T')}Z`)
}

/** Returns the first minute at which the clock shows that time; one that it skips is as late as the clock was put forward. */
function momentOf(wanted: number, zone: string): number {
  // Three hours before it by the clock of two days ago: no clock is changed by more.
  const offset = shownAt(wanted - 2 * dayMinutes * minuteMs, zone) - (wanted - 2 * dayMinutes * minuteMs)
  const from = wanted - offset - 3 * 60 * minuteMs
  for (let at = from; ; at += minuteMs) {
    if (shownAt(at, zone) === wanted) return at
    const before = shownAt(at - minuteMs, zone)
    if (at > from && before < wanted && shownAt(at, zone) > wanted) return at - minuteMs + (wanted - before)
  }
}

function runsByClock(times: ScheduleTimes, after: number, zone: string, days: number) {
  const today = Math.floor(shownAt(after, zone) / (dayMinutes * minuteMs))
  const [begin, end] = [minuteOf(times.startTime), minuteOf(times.endTime)]
  const minutes = end > begin ? end - begin : end - begin + dayMinutes
  const runsOn = (day: number) => {
    const date = new Date(day * dayMinutes * minuteMs)
    const isDay = times.repeatType === 'daily' || times.repeatDays.includes(weekdays[date.getUTCDay()] ?? 'Sun')
    return isDay && (times.endDate === null || date.toISOString().slice(0, 10) <= times.endDate)
  }
  const found: string[] = []
  for (let day = today - 2; day <= today + days; day += 1) {
    if (!runsOn(day)) continue
    const midnight = day * dayMinutes * minuteMs
    const startAt = momentOf(midnight + begin * minuteMs, zone)
    const byClock = momentOf(midnight + (begin + minutes) * minuteMs, zone)
    const kept = byClock > startAt ? byClock : startAt + minutes * minuteMs
    const isNextDay = end <= begin
    const endAt =
      isNextDay && runsOn(day + 1) ? Math.min(kept, momentOf(midnight + (begin + dayMinutes) * minuteMs, zone)) : kept
    if (startAt > after) found.push(`start ${new Date(startAt).toISOString()}`, `end ${new Date(endAt).toISOString()}`)
  }
  return found
}

// Clocks change at night.
const minuteOfDay = fc.oneof(fc.integer({ min: 0, max: dayMinutes - 1 }), fc.integer({ min: -60, max: 4 * 60 }))
const time = minuteOfDay.map((minute) =>
  new Date(dayMinutes * minuteMs + minute * minuteMs).toISOString().slice(11, 16)
)
const timetable = fc
  .record({
    startTime: time,
    endTime: time,
    repeatType: fc.constantFrom('daily' as const, 'weekly' as const),
    repeatDays: fc.uniqueArray(fc.constantFrom(...weekdays), { minLength: 1 }),
    endDate: fc.constantFrom(null, '2027-03-14', '2028-02-29')
  })
  .filter(({ startTime, endTime }) => startTime !== endTime)
/** Some days before a clock change in the zone, or the leap day. */
const place = fc.constantFrom(
  ['Asia/Kathmandu', '2028-02-28'],
  ['America/New_York', '2027-03-14'],
  ['America/New_York', '2026-11-01'],
  ['Australia/Lord_Howe', '2026-10-04'],
  ['Australia/Lord_Howe', '2027-04-04'],
  ['Pacific/Chatham', '2026-09-27'],
  ['Pacific/Chatham', '2027-04-04'],
  ['Africa/Casablanca', '2027-02-07'],
  ['Africa/Cairo', '2027-04-30'],
  ['America/Santiago', '2026-09-06'],
  ['Antarctica/Troll', '2027-03-28'],
  ['Atlantic/Azores', '2027-03-28'],
  ['America/Nuuk', '2027-03-28']
)

test('fires when a clock in the zone shows the time', () => {
  fc.assert(
    fc.property(
      timetable,
      place,
      fc.integer({ min: -3 * dayMinutes, max: dayMinutes }),
      (times, [zone = '', day = ''], minutes) => {
        const after = Date.parse(day) + minutes * minuteMs
        const expected = runsByClock(times, after, zone, 9)
        const rule = ruleOf(times, null)
        const found = rule === null ? [] : nextOccurrences(rule, { after, zone, count: expected.length })
        expect(found.map(({ phase, at }) => `${phase} ${new Date(at).toISOString()}`)).toEqual(expected)
      }
    ),
    { numRuns: 300 }
  )
})
