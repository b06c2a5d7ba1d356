import { addDays, dateAfter, datesOf, endsNextDay, runEndsAt, type ScheduleRule } from '@batti/contracts'
import { Temporal } from 'temporal-polyfill'

export type Phase = 'start' | 'end'

export interface Occurrence {
  phase: Phase
  /** Milliseconds since the epoch. */
  at: number
  /** The local date on which it fires; unique together with schedule and phase. */
  date: string
  /** The local date on which its run starts. */
  runDate: string
  /** A clock change skipped its time: it fires at a later wall-clock time than the schedule says. */
  isShifted: boolean
}

export interface WallClockInstant {
  at: number
  isShifted: boolean
}

export interface NextRunQuery {
  /** Only occurrences strictly after this instant, in milliseconds since the epoch. */
  after: number
  zone: string
  count: number
  /** A run that has started and whose end is still due. Null: only ends of runs that start after `after`. */
  startedRun?: string | null
}

/**
 * Returns the instant of a wall-clock time. A time that a clock change skips is moved later by the gap; of a repeated one
 * the first is used (RFC 5545, Temporal's `compatible`).
 */
export function instantOf(date: string, minute: number, zone: string): WallClockInstant {
  const wanted = Temporal.PlainTime.from({ hour: Math.trunc(minute / 60), minute: minute % 60 })
  const zoned = Temporal.PlainDate.from(date)
    .toPlainDateTime(wanted)
    .toZonedDateTime(zone, { disambiguation: 'compatible' })
  return { at: zoned.epochMilliseconds, isShifted: zoned.hour !== wanted.hour || zoned.minute !== wanted.minute }
}

/** Returns a memoized `instantOf`: ten thousand schedules due in one minute need only a few times. */
export function rememberInstants(): typeof instantOf {
  const known = new Map<string, WallClockInstant>()
  return (date, minute, zone) => {
    const key = `${date}T${minute}[${zone}]`
    const found = known.get(key)
    if (found !== undefined) return found
    const made = instantOf(date, minute, zone)
    known.set(key, made)
    return made
  }
}

/**
 * Returns the next occurrences of a schedule after an instant, in order: start, end, start, end … A run's end is never
 * before its start, nor after the start of the next run. Pure: shared by the preview, the runner and the tests.
 */
export function nextOccurrences(rule: ScheduleRule, query: NextRunQuery, resolve = instantOf): Occurrence[] {
  const { after, zone, count, startedRun = null } = query
  const found: Occurrence[] = []
  // A run may have started the day before, and its end can move past another midnight if its time is skipped.
  const first = addDays(localDate(after, zone), -2)
  for (const date of datesOf(rule.start, first)) {
    const { start, end } = runOn(rule, date, { zone, resolve })
    if (start.at > after) found.push(start)
    if (end.at > after && (start.at > after || startedRun === start.runDate)) found.push(end)
    if (found.length >= count) break
  }
  return found.slice(0, count)
}

/** Returns the occurrence after `last` of the same schedule; null after the last one. */
export function occurrenceAfter(
  rule: ScheduleRule,
  last: Pick<Occurrence, 'phase' | 'at' | 'runDate'>,
  zone: string,
  resolve = instantOf
): Occurrence | null {
  const query =
    last.phase === 'start'
      ? { after: last.at, startedRun: last.runDate }
      : // A run may begin at the very instant at which another ends.
        { after: last.at - 1 }
  return nextOccurrences(rule, { ...query, zone, count: 1 }, resolve)[0] ?? null
}

/** Returns the local date for `once` without a date: the day of the next such time. */
export function nextStartDate(minute: number, after: number, zone: string): string {
  const everyDay = { kind: 'clock', minute, repeat: { every: 'day', until: null } } as const
  const next = nextOccurrences({ start: everyDay, end: everyDay }, { after, zone, count: 1 })[0]
  if (next === undefined) throw new Error('Every day has a start.')
  return next.runDate
}

export const localDate = (at: number, zone: string): string =>
  Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).toPlainDate().toString()

/** Formats an instant in local time of a zone: `2026-11-01T01:30-04:00`. */
export const localTime = (at: number, zone: string): string =>
  Temporal.Instant.fromEpochMilliseconds(at)
    .toZonedDateTimeISO(zone)
    .toString({ smallestUnit: 'minute', timeZoneName: 'never' })

interface Resolving {
  zone: string
  resolve: typeof instantOf
}

function runOn(rule: ScheduleRule, runDate: string, { zone, resolve }: Resolving) {
  const { start: begins, end: ends } = rule
  const date = endsNextDay(begins.minute, ends.minute) ? dateAfter(runDate) : runDate
  const begun = resolve(runDate, begins.minute, zone)
  const ended = resolve(date, ends.minute, zone)
  const byClocks = { endDate: date, startsAt: begun.at, endsAt: ended.at }
  const endAt = runEndsAt(rule, byClocks, (on, minute) => resolve(on, minute, zone).at)
  const start: Occurrence = { phase: 'start', at: begun.at, date: runDate, runDate, isShifted: begun.isShifted }
  const isShifted = ended.isShifted || endAt !== ended.at
  const end: Occurrence = { phase: 'end', at: endAt, date, runDate, isShifted }
  return { start, end }
}
