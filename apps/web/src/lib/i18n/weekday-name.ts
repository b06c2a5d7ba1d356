import { weekdays, type Weekday } from '@batti/contracts'
import { dayMs } from '@batti/kit/durations'
import type { IntlShape } from 'react-intl'

/** A Sunday; the days of the week follow it. */
const sunday = Date.UTC(2000, 0, 2)

/** "Sun" or "Sunday" in the language. */
export function weekdayName(intl: Pick<IntlShape, 'formatDate'>, day: Weekday, style: 'short' | 'long'): string {
  return intl.formatDate(sunday + weekdays.indexOf(day) * dayMs, { weekday: style, timeZone: 'UTC' })
}
