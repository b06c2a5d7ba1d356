import { weekdays, type ScheduleRecord } from '@batti/contracts'
import { useIntl } from 'react-intl'
import { useText } from '#web/lib/i18n/use-text.ts'
import { wallDate } from '#web/lib/i18n/wall-clock.ts'
import { weekdayName } from '#web/lib/i18n/weekday-name.ts'

/** Formats the repetition: "Every day, until Mon 1 Mar 2027", "Every week on Sun and Mon", "Once". */
export function useRepeatText({
  repeatType,
  repeatDays,
  endDate
}: Pick<ScheduleRecord, 'repeatType' | 'repeatDays' | 'endDate'>): string {
  const t = useText()
  const intl = useIntl()
  if (repeatType === 'once') {
    return endDate === null ? t('schedules.once') : t('schedules.onceOn', { date: wallDate(intl, endDate, true) })
  }
  const days = weekdays.filter((day) => repeatDays.includes(day)).map((day) => weekdayName(intl, day, 'short'))
  const repeat =
    repeatType === 'daily'
      ? t('schedules.everyDay')
      : t('schedules.everyWeek', { days: intl.formatList(days, { type: 'conjunction' }) })
  return endDate === null ? repeat : t('schedules.until', { repeat, date: wallDate(intl, endDate, true) })
}
