import type { DeviceRecord, SwitchRecord } from '@batti/contracts'
import { LivePresenceBadge } from '#web/features/devices/components/live-presence-badge.tsx'
import { useOnSince } from '#web/features/on-times/use-on-since.ts'
import { useSwitches } from '#web/features/switches/api/list-switches.ts'
import { SwitchControlDialog } from '#web/features/switches/components/switch-control-dialog.tsx'
import { givenNames } from '#web/features/switches/switch-name.ts'

export interface OwnBoardSheetProps {
  device: DeviceRecord
  onAddSchedule: (record: SwitchRecord) => void
  onClose: () => void
}

/** The switches of one of the person's own boards: their names, and since when each is on. */
export function OwnBoardSheet({ device, onAddSchedule, onClose }: OwnBoardSheetProps) {
  const switches = useSwitches().data?.filter(({ deviceId }) => deviceId === device._id) ?? []
  const since = useOnSince()
  return (
    <SwitchControlDialog
      device={device}
      names={givenNames(switches)}
      onSinceOf={(index) => since?.get(switches.find(({ switchIndex }) => switchIndex === index)?._id ?? '')}
      presence={<LivePresenceBadge device={device} />}
      onAddSchedule={onAddSchedule}
      onClose={onClose}
    />
  )
}
