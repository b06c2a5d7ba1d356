import type { DeviceRecord, RoomRecord } from '@batti/contracts'
import type { ReactNode } from 'react'
import { DialogSheet } from '#web/ui/overlays/dialog-sheet.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LinkButton } from '#web/ui/link-button.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useRoomDevices } from '#web/features/rooms/api/list-room-devices.ts'

export interface RoomDialogProps {
  room: RoomRecord
  onClose: () => void
  /** Renders the boards with their switches once they are loaded. */
  children: (devices: readonly DeviceRecord[]) => ReactNode
}

/** The boards of a room. */
export function RoomDialog({ room, onClose, children }: RoomDialogProps) {
  const t = useText()
  const boards = useRoomDevices(room._id)
  return (
    <DialogSheet isOpen onClose={onClose} width="wide" title={room.roomName}>
      <QueryView
        query={boards}
        failed={t('rooms.devicesFailed')}
        loading={
          <div className="grid gap-3">
            <Skeleton className="h-11" />
            <Skeleton className="h-32" />
          </div>
        }
        isEmpty={(data) => data.devices.length === 0}
        empty={
          <EmptyState
            title={t('rooms.noDevices')}
            body={t('rooms.noDevicesHint')}
            action={<LinkButton to="/user/devices">{t('rooms.toDevices')}</LinkButton>}
          />
        }
      >
        {(data) => children(data.devices)}
      </QueryView>
    </DialogSheet>
  )
}
