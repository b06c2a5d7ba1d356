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

/** The local dates of the last `days` days in `zone`, today last, and the window they make. */
export function lastDays(days: number, now: number, zone: string): OnTimeWindow & { dates: string[] } {
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(zone).toPlainDate()
  const first = today.subtract({ days: days - 1 })
  const dates = Array.from({ length: days }, (_, day) => first.add({ days: day }).toString())
  return { from: startOfDay(first, zone), to: now, dates }
}

/**
 * When a switch was on inside the window. `before` is its state at the start of the window; null where the log does
 * not reach back: then the first change tells (what turned off was on), and without any change `current` does.
 * `changes` are in order; a speed change of a fan repeats its state and splits nothing.
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

/** Whole seconds of each local day that the spans cover. A day has 23, 24 or 25 hours, as its zone says. */
export function secondsPerDay(spans: readonly OnTimeWindow[], dates: readonly string[], zone: string): OnTimeOfDay[] {
  return dates.map((date) => {
    const day = Temporal.PlainDate.from(date)
    const [begin, end] = [startOfDay(day, zone), startOfDay(day.add({ days: 1 }), zone)]
    const covered = spans.reduce((sum, { from, to }) => sum + Math.max(0, Math.min(to, end) - Math.max(from, begin)), 0)
    return { date, seconds: Math.round(covered / 1000) }
  })
}

const startOfDay = (date: Temporal.PlainDate, zone: string): number =>
  date.toZonedDateTime({ timeZone: zone }).epochMilliseconds
