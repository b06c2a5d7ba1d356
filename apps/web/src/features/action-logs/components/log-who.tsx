import type { ActionLogRecord } from '@batti/contracts'
import { TextLink } from '#web/ui/link-button.tsx'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useSchedules } from '#web/lib/records/use-schedules.ts'
import { useLogTexts } from '#web/features/action-logs/use-log-texts.ts'

type Row = Pick<ActionLogRecord, 'kind' | 'cause' | 'from' | 'userName'>

/** Who or what caused the change; a schedule by its name, which links to it. */
export function LogWho({ row }: { row: Row }) {
  const { whoOf } = useLogTexts()
  const scheduleId = row.cause?.scheduleId
  return scheduleId === undefined ? whoOf(row) : <ScheduleName id={scheduleId} otherwise={whoOf(row)} />
}

/** `otherwise` is shown until the schedules are loaded, and for one without a label. */
function ScheduleName({ id, otherwise }: { id: string; otherwise: string }) {
  const t = useText()
  const { data: schedules } = useSchedules()
  if (schedules === undefined) return otherwise
  const schedule = schedules.find(({ _id }) => _id === id)
  if (schedule === undefined) return t('logs.goneSchedule')
  return (
    <TextLink to={`/user/schedules?schedule=${id}`} className="inline-block min-h-6 py-0.5 wrap-anywhere text-ink">
      {schedule.label.trim() || otherwise}
    </TextLink>
  )
}
