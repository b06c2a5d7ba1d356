import { useIntl } from 'react-intl'
import { wallTime } from '#web/lib/i18n/wall-clock.ts'

/** A time of a schedule, "18:15", in the digits of the language. */
export function WallTime({ time }: { time: string }) {
  return wallTime(useIntl(), time)
}
