import type { DeviceRecord, RoomRecord } from '@batti/contracts'
import type { ReactNode } from 'react'
import { DialogSheet } from '#web/ui/dialog-sheet.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { FailedState } from '#web/ui/failed-state.tsx'
import { LinkButton } from '#web/ui/link-button.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useRoomDevices } from '#web/features/rooms/api/list-room-devices.ts'

export interface RoomDialogProps {
  room: RoomRecord
  onClose: () => void
  /** The boards with their switches, once they are there. */
  children: (devices: readonly DeviceRecord[]) => ReactNode
}

/** A room's boards. */
export function RoomDialog({ room, onClose, children }: RoomDialogProps) {
  const t = useText()
  const boards = useRoomDevices(room._id)
  return (
    <DialogSheet isOpen onClose={onClose} width="wide" title={room.roomName}>
      {boards.isPending ? (
        <div className="grid gap-3">
          <VisuallyHidden live="polite">{t('common.loading')}</VisuallyHidden>
          <Skeleton className="h-11" />
          <Skeleton className="h-32" />
        </div>
      ) : boards.isError ? (
        <FailedState
          title={t('rooms.devicesFailed')}
          isRetrying={boards.isFetching}
          onRetry={() => void boards.refetch()}
        />
      ) : boards.data.devices.length === 0 ? (
        <EmptyState
          title={t('rooms.noDevices')}
          body={t('rooms.noDevicesHint')}
          action={<LinkButton to="/user/devices">{t('rooms.toDevices')}</LinkButton>}
        />
      ) : (
        children(boards.data.devices)
      )}
    </DialogSheet>
  )
}
