import type { ScheduleRecord } from '@batti/contracts'
import type { Text } from '#web/lib/i18n/use-text.ts'

/** The server's label of a schedule without one. */
const unnamed = 'Unnamed Schedule'

/** Returns the schedule's label; the default one is translated. */
export function scheduleTitle(t: Text, { label }: Pick<ScheduleRecord, 'label'>): string {
  return label.trim() === '' || label === unnamed ? t('schedules.unnamed') : label
}
