import { dayMs } from '@batti/kit/durations'
import type { IntlShape } from 'react-intl'

const steps: readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60]
]

const midnightOf = (atMs: number): number => new Date(atMs).setHours(0, 0, 0, 0)

/** Returns the whole days between two dates of the browser's calendar; rounded, as DST makes some days longer or shorter. */
const daysBetween = (fromMs: number, toMs: number): number =>
  Math.round((midnightOf(toMs) - midnightOf(fromMs)) / dayMs)

/**
 * Formats a relative time: "12 minutes ago", "now", "in 5 minutes". "Yesterday" means the date before, not some 30
 * hours. Times are in milliseconds.
 */
export function relativeTime(intl: Pick<IntlShape, 'formatRelativeTime'>, atMs: number, nowMs: number): string {
  const seconds = Math.round((atMs - nowMs) / 1000)
  for (const [unit, size] of steps) {
    if (Math.abs(seconds) < size) continue
    if (unit === 'day') return intl.formatRelativeTime(daysBetween(nowMs, atMs), unit, { numeric: 'auto' })
    return intl.formatRelativeTime(Math.trunc(seconds / size), unit)
  }
  return intl.formatRelativeTime(0, 'second', { numeric: 'auto' })
}

/** Formats the exact time for a tooltip: "Saturday, 21 November 2026 at 19:05:12". */
export function exactTime(intl: Pick<IntlShape, 'formatDate'>, atMs: number): string {
  return intl.formatDate(atMs, { dateStyle: 'full', timeStyle: 'medium', hourCycle: 'h23' })
}

/** Formats a time for print, where "ago" has no meaning: "21 Nov 2026, 19:05". */
export function printedTime(intl: Pick<IntlShape, 'formatDate'>, atMs: number): string {
  const options = { day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' } as const
  return intl.formatDate(atMs, { ...options, hourCycle: 'h23' })
}

/** "14:05". */
export function timeOfDay(intl: Pick<IntlShape, 'formatTime'>, at: number | string): string {
  return intl.formatTime(at, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
}

/** Formats a time of today as "14:05", an earlier one as "20 Nov, 14:05", one of another year as "20 Nov 2025, 14:05". */
export function clockTime(intl: Pick<IntlShape, 'formatDate' | 'formatTime'>, atMs: number, nowMs: number): string {
  const [at, now] = [new Date(atMs), new Date(nowMs)]
  if (at.toDateString() === now.toDateString()) return timeOfDay(intl, atMs)
  return intl.formatDate(atMs, {
    day: 'numeric',
    month: 'short',
    ...(at.getFullYear() !== now.getFullYear() && { year: 'numeric' }),
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23'
  })
}
