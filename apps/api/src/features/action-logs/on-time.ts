import { Temporal } from 'temporal-polyfill'

/** One confirmed change of a switch; `at` in milliseconds since the epoch. */
export interface StateChange {
  state: boolean
  at: number
}

export interface OnTimeWindow {
  from: number
  to: number
}

export interface OnTimeOfDay {
  /** Local date `YYYY-MM-DD`. */
  date: string
  seconds: number
}

/** A local day, and the instants of its beginning and end. */
export interface LocalDay extends OnTimeWindow {
  date: string
}

/** Returns the last `days` local days in `zone`, today last, and the window from the first of them until now. */
export function lastDays(days: number, now: number, zone: string): OnTimeWindow & { days: LocalDay[] } {
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(zone).toPlainDate()
  const first = today.subtract({ days: days - 1 })
  return { from: startOfDay(first, zone), to: now, days: localDays(first, days, zone) }
}

/** Days have 23, 24 or 25 hours, depending on the zone. */
export function localDays(first: Temporal.PlainDate, count: number, zone: string): LocalDay[] {
  const dates = Array.from({ length: count + 1 }, (_, day) => first.add({ days: day }))
  const starts = dates.map((date) => startOfDay(date, zone))
  return starts.slice(0, -1).map((from, day) => ({ date: String(dates[day]), from, to: starts[day + 1] ?? from }))
}

/**
 * Returns when a switch was on inside the window. `before` is its state at the start of the window; if null, it is
 * derived from the first change (what turned off was on), or from `current` if there is none. `changes` are in order. A
 * speed change of a fan repeats its state and splits no span.
 */
export function onSpans(
  changes: readonly StateChange[],
  { from, to, before, current }: OnTimeWindow & { before: boolean | null; current: boolean }
): OnTimeWindow[] {
  const first = changes[0]
  const initial = before ?? (first === undefined ? current : !first.state)
  const spans: OnTimeWindow[] = []
  let onSince = initial ? from : null
  for (const { state, at } of changes) {
    if (at > to) break
    if (state && onSince === null) onSince = Math.max(at, from)
    if (!state && onSince !== null) {
      if (at > onSince) spans.push({ from: onSince, to: at })
      onSince = null
    }
  }
  if (onSince !== null && to > onSince) spans.push({ from: onSince, to })
  return spans
}

/** Returns the whole seconds of each local day that the spans cover. */
export function secondsPerDay(spans: readonly OnTimeWindow[], days: readonly LocalDay[]): OnTimeOfDay[] {
  return days.map(({ date, from: begin, to: end }) => {
    const covered = spans.reduce((sum, { from, to }) => sum + Math.max(0, Math.min(to, end) - Math.max(from, begin)), 0)
    return { date, seconds: Math.round(covered / 1000) }
  })
}

const startOfDay = (date: Temporal.PlainDate, zone: string): number =>
  date.toZonedDateTime({ timeZone: zone }).epochMilliseconds
