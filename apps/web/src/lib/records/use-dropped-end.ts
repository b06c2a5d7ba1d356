import type { ScheduleRecord } from '@batti/contracts'
import { useIntl } from 'react-intl'
import { useText } from '#web/lib/i18n/use-text.ts'
import { wallTime } from '#web/lib/i18n/wall-clock.ts'
import { zonedTime } from '#web/lib/time/zoned-time.ts'

/**
 * Returns the sentence about a schedule that is stopped between its start and its end: nothing ends the run then, so that
 * a lamp stays on. Null for a schedule whose next firing is a start.
 */
export function useDroppedEnd(): (schedule: ScheduleRecord) => string | null {
  const t = useText()
  const intl = useIntl()
  return ({ isActive, nextRunAt, timezone, endTime }) =>
    isActive && nextRunAt !== null && zonedTime(Date.parse(nextRunAt), timezone) === endTime
      ? t('schedules.endDropped', { time: wallTime(intl, endTime) })
      : null
}
