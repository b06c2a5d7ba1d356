import { dayMs } from '@batti/kit/durations'
import { zoneOffsetMs } from '@batti/kit/zone-offset'

/**
 * Returns the instant of a date and time in a zone, ms since the epoch; `time` may be "24:00". A time skipped by a clock
 * change is moved later by the gap; of a repeated one the first is used, as for the server's days.
 */
export function zonedMs(date: string, time: string, zone: string): number {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number)
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  const wall = Date.UTC(year, month - 1, day, hour, minute)
  const earlier = wall - zoneOffsetMs(wall - dayMs, zone)
  const later = wall - zoneOffsetMs(wall + dayMs, zone)
  return [earlier, later].find((at) => at + zoneOffsetMs(at, zone) === wall) ?? earlier
}

/** Returns the time of day in a zone at an instant: `HH:MM`. */
export function zonedTime(atMs: number, zone: string): string {
  return new Date(atMs + zoneOffsetMs(atMs, zone)).toISOString().slice(11, 16)
}

/** Returns the date in a zone at an instant: `YYYY-MM-DD`. */
export function zonedDate(atMs: number, zone: string): string {
  return new Date(atMs + zoneOffsetMs(atMs, zone)).toISOString().slice(0, 10)
}
