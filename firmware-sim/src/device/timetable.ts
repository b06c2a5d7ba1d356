import {
  addDays,
  endsNextDay,
  firesOn,
  runEndsAt,
  scheduleLateLimitMs,
  triggerFromWire,
  type ScheduleEntry,
  type SchedulesPayload,
  type Trigger
} from '@batti/contracts'
import { Temporal } from 'temporal-polyfill'

/** One firing of one entry, `at` in milliseconds since the epoch. */
export type Firing = { readonly entry: ScheduleEntry; readonly at: number }

/**
 * The firings after `from` up to and including `to`, earliest first. Times are wall clock in the timetable's zone: one that
 * a change of the clocks skips fires after the gap, one that happens twice fires once, at the first. Of several for one
 * outlet at one instant there is one: a start rather than an end, else that of the schedule that was made last.
 */
export function firingsBetween(timetable: SchedulesPayload, from: number, to: number): Firing[] {
  if (to <= from || !isZone(timetable.timezone)) return []
  // A skipped time can land past midnight, so the day before may still owe a firing.
  const last = localDate(to, timetable.timezone)
  const days: string[] = []
  for (let day = addDays(localDate(from, timetable.timezone), -1); day <= last; day = addDays(day, 1)) days.push(day)
  const due = days.flatMap((day) => firingsOn(timetable, day)).filter(({ at }) => at > from && at <= to)
  const meant = new Map(due.toSorted(byMeaning).map((firing) => [`${firing.at}:${firing.entry.index}`, firing]))
  return [...meant.values()].toSorted((a, b) => a.at - b.at)
}

/** What a board that is on its own still has to do: nothing older than the server itself would make up for. */
export function owedFirings(timetable: SchedulesPayload, doneUntil: number, serverNow: number): Firing[] {
  return firingsBetween(timetable, Math.max(doneUntil, serverNow - scheduleLateLimitMs), serverNow)
}

/** When the next entry fires after `from`; Infinity when none does. What comes again does so within a bit more than a week. */
export function nextFiringAt(timetable: SchedulesPayload, from: number): number {
  if (timetable.entries.length === 0 || !isZone(timetable.timezone)) return Infinity
  const first = addDays(localDate(from, timetable.timezone), -1)
  const last = addDays(first, 9)
  const days: string[] = []
  for (let day = first; day <= last; day = addDays(day, 1)) days.push(day)
  const later = timetable.entries.flatMap(({ date = '' }) => (date > last ? [date] : []))
  let before = Infinity
  for (const day of [...days, ...later.toSorted()]) {
    const times = firingsOn(timetable, day).map(({ at }) => at)
    const next = Math.min(before, ...times.filter((at) => at > from))
    // A skipped time can land past midnight, behind one of the day after.
    if (before < Infinity) return next
    before = next
  }
  return before
}

/** What is meant rather comes later. */
const byMeaning = ({ entry: a }: Firing, { entry: b }: Firing): number =>
  Number(isStart(a)) - Number(isStart(b)) || (a.id < b.id ? -1 : 1)

const isStart = ({ id }: ScheduleEntry): boolean => id.endsWith(':start')

function firingsOn({ entries, timezone }: SchedulesPayload, date: string): Firing[] {
  const instantIn = (on: string, minute: number): number => instantOf(on, minute, timezone)
  return entries.flatMap((entry) => {
    const trigger = triggerFromWire(entry)
    if (trigger === null || !firesOn(trigger, date)) return []
    const at = instantIn(date, trigger.minute)
    const start = isStart(entry) ? null : startOf(entry, entries)
    if (start === null) return [{ entry, at }]
    const runDate = endsNextDay(start.minute, trigger.minute) ? addDays(date, -1) : date
    const byClocks = { endDate: date, startsAt: instantIn(runDate, start.minute), endsAt: at }
    return [{ entry, at: runEndsAt({ start, end: trigger }, byClocks, instantIn) }]
  })
}

/** The other line of the schedule that this one ends. */
function startOf({ id }: ScheduleEntry, entries: readonly ScheduleEntry[]): Trigger | null {
  const start = entries.find((other) => other.id === id.replace(':end', ':start'))
  return start === undefined ? null : triggerFromWire(start)
}

const instantOf = (date: string, minute: number, timeZone: string): number =>
  Temporal.PlainDate.from(date)
    .toPlainDateTime(Temporal.PlainTime.from({ hour: Math.trunc(minute / 60), minute: minute % 60 }))
    .toZonedDateTime(timeZone, { disambiguation: 'compatible' }).epochMilliseconds

const localDate = (at: number, timeZone: string): string =>
  Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone).toPlainDate().toString()

/** Whether the zone is one this machine knows; a board ignores a timetable in a zone it cannot reckon with. */
export function isZone(timeZone: string): boolean {
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(timeZone)
    return true
  } catch {
    return false
  }
}
