import type { DeviceRecord, SwitchRecord } from '@batti/contracts'
import { LivePresenceBadge } from '#web/features/devices/components/live-presence-badge.tsx'
import { useOnSince } from '#web/features/on-times/use-on-since.ts'
import { useSwitches } from '#web/features/switches/api/list-switches.ts'
import { BoardRows } from '#web/features/switches/components/board-rows.tsx'
import { BulkPanel } from '#web/features/switches/components/bulk-panel.tsx'
import { givenName, switchTitle } from '#web/features/switches/switch-name.ts'
import { groupBy } from '#web/lib/group-by.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { deviceTitle } from '#web/lib/records/device-title.ts'
import { Name } from '#web/ui/name.tsx'

export interface RoomBoardsProps {
  devices: readonly DeviceRecord[]
  onAddSchedule: (record: SwitchRecord) => void
}

/** A room's boards and switches: all on, all off, and since when each is on. */
export function RoomBoards({ devices, onAddSchedule }: RoomBoardsProps) {
  const t = useText()
  const switches = useSwitches()
  const since = useOnSince()
  const byBoard = groupBy(switches.data ?? [], ({ deviceId }) => deviceId)
  const recordOf = (device: DeviceRecord, index: number) =>
    byBoard.get(device._id)?.find(({ switchIndex }) => switchIndex === index)
  const nameOf = (device: DeviceRecord, index: number) =>
    switchTitle(t, recordOf(device, index) ?? { switchName: '', switchIndex: index })
  return (
    <>
      <BulkPanel devices={devices} nameOf={nameOf} />
      {devices.map((device) => (
        <section key={device._id} aria-label={deviceTitle(device)} className="mt-4">
          <h3 className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line pb-2">
            <span className="min-w-0 font-semibold">
              <Name>{deviceTitle(device)}</Name>
            </span>
            <LivePresenceBadge device={device} />
          </h3>
          <BoardRows
            device={device}
            nameOf={(index) => {
              const record = recordOf(device, index)
              return record === undefined ? undefined : (givenName(record) ?? undefined)
            }}
            onSinceOf={(index) => since?.get(recordOf(device, index)?._id ?? '')}
            onAddSchedule={onAddSchedule}
          />
        </section>
      ))}
    </>
  )
}
