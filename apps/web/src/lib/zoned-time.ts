import { zoneOffsetMs } from '@batti/kit/zone-offset'

/**
 * The instant at which a zone's clocks show that date and time, ms since the epoch; `time` may be "24:00". A time that
 * a change of the clocks skips is taken as it would have been without the change.
 */
export function zonedMs(date: string, time: string, zone: string): number {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number)
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  const wall = Date.UTC(year, month - 1, day, hour, minute)
  const first = wall - zoneOffsetMs(wall, zone)
  // The offset of the guess, not of the wall time taken as UTC: on the day of a change they differ.
  return wall - zoneOffsetMs(first, zone)
}

/** The date that a zone's calendars show at an instant: `YYYY-MM-DD`. */
export function zonedDate(atMs: number, zone: string): string {
  return new Date(atMs + zoneOffsetMs(atMs, zone)).toISOString().slice(0, 10)
}
