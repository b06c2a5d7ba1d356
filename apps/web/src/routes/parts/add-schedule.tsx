import type { SwitchRecord } from '@batti/contracts'
import { useZoneOf } from '#web/features/devices/api/list-devices.ts'
import { ScheduleDialog } from '#web/features/schedules/components/schedule-dialog.tsx'
import { ScheduleTargetLine } from '#web/features/schedules/components/schedule-target-line.tsx'
import { switchTitle } from '#web/features/switches/switch-name.ts'
import { useText } from '#web/lib/i18n/use-text.ts'

/** The Add Schedule dialog of a switch, opened from its options. */
export function AddSchedule({ record, onClose }: { record: SwitchRecord; onClose: () => void }) {
  const t = useText()
  const zone = useZoneOf(record.deviceId)
  const { deviceId, _id: switchId, switchIndex } = record
  return (
    <ScheduleDialog
      schedule={null}
      target={{ deviceId, switchId, switchIndex }}
      targetField={<ScheduleTargetLine name={switchTitle(t, record)} board={record.deviceName} />}
      zone={zone}
      onClose={onClose}
    />
  )
}
