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
export interface Firing {
  readonly entry: ScheduleEntry
  readonly at: number
}

/**
 * Returns the firings after `from` up to and including `to`, earliest first. Times are wall-clock times in the timetable's
 * zone: a time skipped by a clock change fires after the gap; a repeated time fires once, the first time. Of several firings
 * for one outlet at one instant only one counts: a start before an end, else that of the newest schedule.
 */
export function firingsBetween(timetable: SchedulesPayload, from: number, to: number): Firing[] {
  if (to <= from || !isZone(timetable.timezone)) return []
  // A skipped time can move past midnight, so include the day before.
  const last = localDate(to, timetable.timezone)
  const days: string[] = []
  for (let day = addDays(localDate(from, timetable.timezone), -1); day <= last; day = addDays(day, 1)) days.push(day)
  const due = days.flatMap((day) => firingsOn(timetable, day)).filter(({ at }) => at > from && at <= to)
  const meant = new Map(due.toSorted(byMeaning).map((firing) => [`${firing.at}:${firing.entry.index}`, firing]))
  return [...meant.values()].toSorted((a, b) => a.at - b.at)
}

/** Returns the firings that an offline board must still execute, none older than the server itself would make up for. */
export function owedFirings(timetable: SchedulesPayload, doneUntil: number, serverNow: number): Firing[] {
  return firingsBetween(timetable, Math.max(doneUntil, serverNow - scheduleLateLimitMs), serverNow)
}

/** Returns the next firing after `from`; Infinity for none. Recurring entries fire within little more than a week. */
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
    // A skipped time can move past midnight, behind a firing of the next day.
    if (before < Infinity) return next
    before = next
  }
  return before
}

/** Sorts firings at the same instant so that the preferred one is last. */
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

/** Returns the start of the schedule that this entry ends. */
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

/** Tells whether this machine knows the time zone. A board ignores a timetable in an unknown zone. */
export function isZone(timeZone: string): boolean {
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(timeZone)
    return true
  } catch {
    return false
  }
}
