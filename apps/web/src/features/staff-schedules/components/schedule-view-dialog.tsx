import type { ScheduleRecord } from '@batti/contracts'
import { useIntl } from 'react-intl'
import { DetailFacts } from '#web/ui/detail-facts.tsx'
import { DialogSheet } from '#web/ui/overlays/dialog-sheet.tsx'
import { wallDate, wallTime } from '#web/lib/i18n/wall-clock.ts'
import { weekdayName } from '#web/lib/i18n/weekday-name.ts'
import { usePersonName } from '#web/lib/records/use-person.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { scheduleTitle } from '#web/lib/records/schedule-title.ts'
import { boardOf } from '#web/features/staff-schedules/schedule-list.tsx'

export function ScheduleViewDialog({ schedule, onClose }: { schedule: ScheduleRecord; onClose: () => void }) {
  const t = useText()
  const intl = useIntl()
  const owner = usePersonName(schedule.userId)
  const at = (time: string, action: 'on' | 'off') => `${wallTime(intl, time)} ${t(`schedules.action.${action}`)}`
  return (
    <DialogSheet
      isOpen
      onClose={onClose}
      title={scheduleTitle(t, schedule)}
      description={t(schedule.isActive ? 'schedules.active' : 'schedules.inactive')}
    >
      <DetailFacts
        className="py-2"
        facts={[
          { label: t('staffSchedules.device'), value: boardOf(schedule) },
          { label: t('staffSchedules.switch'), value: schedule.switchId?.switchName },
          { label: t('staffSchedules.index'), value: intl.formatNumber(schedule.switchIndex) },
          { label: t('staffSchedules.start'), value: at(schedule.startTime, schedule.startAction) },
          { label: t('staffSchedules.end'), value: at(schedule.endTime, schedule.endAction) },
          {
            label: t('staffSchedules.repeat'),
            value: [
              t(`schedules.repeat.${schedule.repeatType}`),
              ...schedule.repeatDays.map((day) => weekdayName(intl, day, 'short'))
            ].join(' ')
          },
          {
            label: t('schedules.endDate'),
            value: schedule.endDate === null ? null : wallDate(intl, schedule.endDate, true)
          },
          { label: t('staffSchedules.zone'), value: schedule.timezone },
          {
            label: t('staffSchedules.next'),
            // In the zone of the start and the end above, wherever the reader is.
            value:
              schedule.nextRunAt === null
                ? null
                : intl.formatDate(schedule.nextRunAt, {
                    dateStyle: 'full',
                    timeStyle: 'short',
                    hourCycle: 'h23',
                    timeZone: schedule.timezone
                  })
          },
          { label: t('staffSchedules.owner'), value: owner ?? schedule.userId, isCode: owner === null }
        ]}
      />
    </DialogSheet>
  )
}
