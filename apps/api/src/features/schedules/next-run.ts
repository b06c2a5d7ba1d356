import { weekdays, type Weekday } from '@batti/contracts'
import { Temporal } from 'temporal-polyfill'

/** When a schedule runs, by the wall clock of its zone. A run starts at `startTime` and ends at `endTime`, of the next day where that is earlier. */
export interface Timetable {
  /** `HH:MM`. */
  startTime: string
  endTime: string
  repeatType: 'once' | 'daily' | 'weekly'
  repeatDays: readonly Weekday[]
  /** The last local date on which a run may start; null: never ends. */
  endDate: string | null
  /** Of `once`: the local date of its one run. */
  runDate: string | null
}

export type Phase = 'start' | 'end'

export interface Occurrence {
  phase: Phase
  /** Milliseconds since the epoch. */
  at: number
  /** The local date on which it fires: with schedule and phase its unique key. */
  date: string
  /** The local date on which its run starts. */
  runDate: string
  /** A change of the clocks skipped its time: it fires later by the wall clock than the schedule says. */
  isShifted: boolean
}

export interface WallClockInstant {
  at: number
  isShifted: boolean
}

export interface NextRunQuery {
  /** Occurrences strictly after this instant, milliseconds since the epoch. */
  after: number
  zone: string
  count: number
  /** A run that has started and whose end is still owed; null: ends belong to runs that start after `after`. */
  startedRun?: string | null
}

/**
 * The instant of a wall-clock time: one that a change of the clocks skips is that much later, one that happens twice is
 * the first (RFC 5545, Temporal's `compatible`). Source: contract-decisions §5.
 */
export function instantOf(date: string, time: string, zone: string): WallClockInstant {
  const wanted = Temporal.PlainTime.from(time)
  const zoned = Temporal.PlainDate.from(date)
    .toPlainDateTime(wanted)
    .toZonedDateTime(zone, { disambiguation: 'compatible' })
  return { at: zoned.epochMilliseconds, isShifted: zoned.hour !== wanted.hour || zoned.minute !== wanted.minute }
}

/** `instantOf` that remembers: ten thousand schedules that are due in one minute ask for the same few times. */
export function rememberInstants(): typeof instantOf {
  const known = new Map<string, WallClockInstant>()
  return (date, time, zone) => {
    const key = `${date}T${time}[${zone}]`
    const found = known.get(key)
    if (found !== undefined) return found
    const made = instantOf(date, time, zone)
    known.set(key, made)
    return made
  }
}

/**
 * The next occurrences of a schedule after an instant, in order: start, end, start, end … each run's end is never before
 * its start nor after the next run's. Pure: the preview, the runner and the tests share it. Source: architecture, "Time".
 */
export function nextOccurrences(timetable: Timetable, query: NextRunQuery, resolve = instantOf): Occurrence[] {
  const { after, zone, count, startedRun = null } = query
  const found: Occurrence[] = []
  // A time that was skipped can land past midnight, so the day before may still owe something.
  const first = localDate(after, zone).subtract({ days: 1 })
  for (const date of runDates(timetable, first)) {
    const { start, end } = runOn(timetable, date, { zone, resolve })
    if (start.at > after) found.push(start)
    if (end.at > after && (start.at > after || startedRun === start.runDate)) found.push(end)
    if (found.length >= count) break
  }
  return found.slice(0, count)
}

/** What follows an occurrence of the same schedule; null after the last. */
export function occurrenceAfter(
  timetable: Timetable,
  last: Pick<Occurrence, 'phase' | 'at' | 'runDate'>,
  zone: string,
  resolve = instantOf
): Occurrence | null {
  const query =
    last.phase === 'start'
      ? { after: last.at, startedRun: last.runDate }
      : // A run may begin at the very instant at which another ends.
        { after: last.at - 1 }
  return nextOccurrences(timetable, { ...query, zone, count: 1 }, resolve)[0] ?? null
}

/** The local date of `once` without a date: the day of its next start. */
export function nextStartDate(startTime: string, after: number, zone: string): string {
  const daily: Timetable = {
    startTime,
    endTime: startTime,
    repeatType: 'daily',
    repeatDays: [],
    endDate: null,
    runDate: null
  }
  const next = nextOccurrences(daily, { after, zone, count: 1 })[0]
  if (next === undefined) throw new Error('Every day has a start.')
  return next.runDate
}

export const localDate = (at: number, zone: string): Temporal.PlainDate =>
  Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).toPlainDate()

/** `2026-11-01T01:30-04:00`: an instant as its zone's clocks show it. */
export const localTime = (at: number, zone: string): string =>
  Temporal.Instant.fromEpochMilliseconds(at)
    .toZonedDateTimeISO(zone)
    .toString({ smallestUnit: 'minute', timeZoneName: 'never' })

/** Seconds from start to end by the wall clock, past midnight where the end is earlier. */
export function durationSeconds(startTime: string, endTime: string): number {
  const minutes = minuteOf(endTime) - minuteOf(startTime)
  return (minutes <= 0 ? minutes + 1440 : minutes) * 60
}

const minuteOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))

/** Dates on which runs start, from `first` on. ISO dates compare as text. */
function* runDates(timetable: Timetable, first: Temporal.PlainDate): Generator<Temporal.PlainDate> {
  const { repeatType, repeatDays, endDate, runDate } = timetable
  if (repeatType === 'once') {
    if (runDate !== null && runDate >= first.toString()) yield Temporal.PlainDate.from(runDate)
    return
  }
  if (repeatType === 'weekly' && repeatDays.length === 0) return
  const isPast = (date: Temporal.PlainDate): boolean => endDate !== null && date.toString() > endDate
  for (let date = first; !isPast(date); date = date.add({ days: 1 })) {
    const weekday = weekdays[date.dayOfWeek % 7]
    if (repeatType === 'daily' || (weekday !== undefined && repeatDays.includes(weekday))) yield date
  }
}

function runOn(
  timetable: Timetable,
  day: Temporal.PlainDate,
  { zone, resolve }: { zone: string; resolve: typeof instantOf }
): { start: Occurrence; end: Occurrence } {
  const { startTime, endTime } = timetable
  const runDate = day.toString()
  const wraps = endTime <= startTime
  const endDate = wraps ? day.add({ days: 1 }).toString() : runDate
  const start = resolve(runDate, startTime, zone)
  const end = resolve(endDate, endTime, zone)
  let endAt = end.at
  // A change of the clocks can turn the two round: the end then keeps its distance from the start,
  if (endAt <= start.at) endAt = start.at + durationSeconds(startTime, endTime) * 1000
  // and a run that fills nearly a day gives way to the next one.
  if (wraps) endAt = Math.min(endAt, nextStartAfter(timetable, day, { zone, resolve }))
  return {
    start: { phase: 'start', at: start.at, date: runDate, runDate, isShifted: start.isShifted },
    end: { phase: 'end', at: endAt, date: endDate, runDate, isShifted: end.isShifted || endAt !== end.at }
  }
}

function nextStartAfter(
  timetable: Timetable,
  day: Temporal.PlainDate,
  { zone, resolve }: { zone: string; resolve: typeof instantOf }
): number {
  const tomorrow = day.add({ days: 1 })
  const next = runDates(timetable, tomorrow).next()
  return next.done !== true && next.value.equals(tomorrow)
    ? resolve(tomorrow.toString(), timetable.startTime, zone).at
    : Infinity
}
