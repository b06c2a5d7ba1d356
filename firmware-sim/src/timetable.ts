import {
  scheduleLateLimitMs,
  weekdays,
  type ScheduleEntry,
  type SchedulesPayload,
  type Weekday
} from '@batti/contracts'
import { Temporal } from 'temporal-polyfill'

/** One firing of one entry, `at` in milliseconds since the epoch. */
export type Firing = { readonly entry: ScheduleEntry; readonly at: number }

/**
 * The firings after `from` up to and including `to`, earliest first. Times are wall clock in the timetable's zone: one that
 * a change of the clocks skips fires after the gap, one that happens twice fires once, at the first. Source: decisions §5.
 */
export function firingsBetween(timetable: SchedulesPayload, from: number, to: number): Firing[] {
  if (to <= from || !isZone(timetable.timezone)) return []
  // A skipped time can land past midnight, so the day before may still owe a firing.
  const first = localDate(from, timetable.timezone).subtract({ days: 1 })
  const days = first.until(localDate(to, timetable.timezone)).days
  return Array.from({ length: days + 1 }, (_, offset) => firingsOn(timetable, first.add({ days: offset })))
    .flat()
    .filter(({ at }) => at > from && at <= to)
    .toSorted((a, b) => a.at - b.at)
}

/** What a board that is on its own still has to do: nothing older than the server itself would make up for. */
export function owedFirings(timetable: SchedulesPayload, doneUntil: number, serverNow: number): Firing[] {
  return firingsBetween(timetable, Math.max(doneUntil, serverNow - scheduleLateLimitMs), serverNow)
}

/** When the next entry fires after `from`, looked for over a bit more than a week; Infinity when none does. */
export function nextFiringAt(timetable: SchedulesPayload, from: number): number {
  if (timetable.entries.length === 0 || !isZone(timetable.timezone)) return Infinity
  const first = localDate(from, timetable.timezone).subtract({ days: 1 })
  for (let offset = 0; offset <= 9; offset += 1) {
    const times = firingsOn(timetable, first.add({ days: offset })).map(({ at }) => at)
    const next = Math.min(...times.filter((at) => at > from))
    if (next < Infinity) return next
  }
  return Infinity
}

function firingsOn(timetable: SchedulesPayload, day: Temporal.PlainDate): Firing[] {
  const date = day.toString()
  const weekday = weekdays[day.dayOfWeek % 7]
  return timetable.entries
    .filter((entry) => firesOn(entry, date, weekday))
    .map((entry) => firing(entry, day, timetable.timezone))
}

/** ISO dates compare as text. */
function firesOn(entry: ScheduleEntry, date: string, weekday: Weekday | undefined): boolean {
  if (entry.endDate !== undefined && date > entry.endDate) return false
  if (entry.repeat === 'once') return entry.date === date
  if (entry.repeat === 'daily') return true
  return weekday !== undefined && (entry.days ?? []).includes(weekday)
}

function firing(entry: ScheduleEntry, day: Temporal.PlainDate, timeZone: string): Firing {
  const at = day
    .toPlainDateTime(Temporal.PlainTime.from(entry.time))
    .toZonedDateTime(timeZone, { disambiguation: 'compatible' })
  return { entry, at: at.epochMilliseconds }
}

const localDate = (at: number, timeZone: string): Temporal.PlainDate =>
  Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone).toPlainDate()

/** Whether the zone is one this machine knows; a board ignores a timetable in a zone it cannot reckon with. */
export function isZone(timeZone: string): boolean {
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(timeZone)
    return true
  } catch {
    return false
  }
}
