import { addDays, datesOf, endsNextDay, runEndsAt, type ScheduleRule } from '@batti/contracts'
import { Temporal } from 'temporal-polyfill'

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
 * the first (RFC 5545, Temporal's `compatible`).
 */
export function instantOf(date: string, minute: number, zone: string): WallClockInstant {
  const wanted = Temporal.PlainTime.from({ hour: Math.trunc(minute / 60), minute: minute % 60 })
  const zoned = Temporal.PlainDate.from(date)
    .toPlainDateTime(wanted)
    .toZonedDateTime(zone, { disambiguation: 'compatible' })
  return { at: zoned.epochMilliseconds, isShifted: zoned.hour !== wanted.hour || zoned.minute !== wanted.minute }
}

/** `instantOf` that remembers: ten thousand schedules that are due in one minute ask for the same few times. */
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
 * The next occurrences of a schedule after an instant, in order: start, end, start, end … each run's end is never before
 * its start nor after the next run's. Pure: the preview, the runner and the tests share it.
 */
export function nextOccurrences(rule: ScheduleRule, query: NextRunQuery, resolve = instantOf): Occurrence[] {
  const { after, zone, count, startedRun = null } = query
  const found: Occurrence[] = []
  // A time that was skipped can land past midnight, so the day before may still owe something.
  const first = addDays(localDate(after, zone), -1)
  for (const date of datesOf(rule.start, first)) {
    const { start, end } = runOn(rule, date, { zone, resolve })
    if (start.at > after) found.push(start)
    if (end.at > after && (start.at > after || startedRun === start.runDate)) found.push(end)
    if (found.length >= count) break
  }
  return found.slice(0, count)
}

/** What follows an occurrence of the same schedule; null after the last. */
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

/** The local date of `once` without a date: the day of the next such minute. */
export function nextStartDate(minute: number, after: number, zone: string): string {
  const everyDay = { kind: 'clock', minute, repeat: { every: 'day', until: null } } as const
  const next = nextOccurrences({ start: everyDay, end: everyDay }, { after, zone, count: 1 })[0]
  if (next === undefined) throw new Error('Every day has a start.')
  return next.runDate
}

export const localDate = (at: number, zone: string): string =>
  Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).toPlainDate().toString()

/** `2026-11-01T01:30-04:00`: an instant as its zone's clocks show it. */
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
  const date = endsNextDay(begins.minute, ends.minute) ? addDays(runDate, 1) : runDate
  const begun = resolve(runDate, begins.minute, zone)
  const ended = resolve(date, ends.minute, zone)
  const byClocks = { endDate: date, startsAt: begun.at, endsAt: ended.at }
  const endAt = runEndsAt(rule, byClocks, (on, minute) => resolve(on, minute, zone).at)
  const start: Occurrence = { phase: 'start', at: begun.at, date: runDate, runDate, isShifted: begun.isShifted }
  const isShifted = ended.isShifted || endAt !== ended.at
  const end: Occurrence = { phase: 'end', at: endAt, date, runDate, isShifted }
  return { start, end }
}
