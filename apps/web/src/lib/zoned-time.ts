/** How far a zone's clocks are ahead of UTC at an instant, in milliseconds. */
function offsetAt(atMs: number, zone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric'
  }).formatToParts(atMs)
  const part = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((each) => each.type === type)?.value ?? 0)
  const shown = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'))
  return shown - Math.floor(atMs / 1000) * 1000
}

/**
 * The instant at which a zone's clocks show that date and time, ms since the epoch; `time` may be "24:00". A time that
 * a change of the clocks skips is taken as it would have been without the change.
 */
export function zonedMs(date: string, time: string, zone: string): number {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number)
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  const wall = Date.UTC(year, month - 1, day, hour, minute)
  const first = wall - offsetAt(wall, zone)
  // The offset of the guess, not of the wall time taken as UTC: on the day of a change they differ.
  return wall - offsetAt(first, zone)
}

/** The date that a zone's calendars show at an instant: `YYYY-MM-DD`. */
export function zonedDate(atMs: number, zone: string): string {
  return new Date(atMs + offsetAt(atMs, zone)).toISOString().slice(0, 10)
}
