import type { ScheduleRecord } from '@batti/contracts'
import type { Text } from '#web/lib/i18n/use-text.ts'

/** What the server calls a schedule that was given no label. */
const unnamed = 'Unnamed Schedule'

/** Its label; the default one in the person's language. */
export function scheduleTitle(t: Text, { label }: Pick<ScheduleRecord, 'label'>): string {
  return label.trim() === '' || label === unnamed ? t('schedules.unnamed') : label
}
