import type { ScheduleRecord } from '@batti/contracts'
import { ScheduleDialog } from '#web/features/schedules/components/schedule-dialog.tsx'
import { ScheduleTargetLine } from '#web/features/schedules/components/schedule-target-line.tsx'
import { deviceTitle } from '#web/lib/records/device-title.ts'
import { switchWords } from '#web/lib/records/switch-words.ts'
import { useText } from '#web/lib/i18n/use-text.ts'

/** The Edit Schedule dialog. A schedule cannot be moved to another switch. */
export function EditSchedule({ schedule, onClose }: { schedule: ScheduleRecord; onClose: () => void }) {
  const t = useText()
  const { deviceId: board, switchId: outlet, switchIndex } = schedule
  const target = board === null || outlet === null ? null : { deviceId: board._id, switchId: outlet._id, switchIndex }
  return (
    <ScheduleDialog
      schedule={schedule}
      target={target}
      targetField={
        <ScheduleTargetLine
          name={switchWords(t, outlet?.switchName.trim() || t('switch.name', { number: switchIndex + 1 }))}
          board={board === null ? t('schedules.goneBoard') : deviceTitle(board)}
        />
      }
      onClose={onClose}
    />
  )
}
