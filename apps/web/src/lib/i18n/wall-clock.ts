import type { IntlShape } from 'react-intl'

type Times = Pick<IntlShape, 'formatTime' | 'formatDate'>

/** Clock times and dates without a zone ("18:15", "2026-11-22") are shown as they stand, whatever the browser's zone. */
const utc = 'UTC'

/** "18:15" in the language's digits. */
export function wallTime(intl: Times, time: string): string {
  return intl.formatTime(Date.parse(`2000-01-01T${time}:00Z`), {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: utc
  })
}

/** "Sun, 22 Nov", with the year where `isLong`. */
export function wallDate(intl: Times, date: string, isLong = false): string {
  return intl.formatDate(Date.parse(`${date}T00:00:00Z`), {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    ...(isLong && { year: 'numeric' }),
    timeZone: utc
  })
}

/** "Sun". */
export function wallWeekday(intl: Times, date: string): string {
  return intl.formatDate(Date.parse(`${date}T00:00:00Z`), { weekday: 'short', timeZone: utc })
}
