import type { RoomRecord } from '@batti/contracts'
import { useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { DialogSheet } from '#web/ui/overlays/dialog-sheet.tsx'
import { SheetClose } from '#web/ui/overlays/sheet-close.tsx'
import { Select } from '#web/ui/fields/select.tsx'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useSave } from '#web/lib/use-save.ts'
import { useDeleteRoom } from '#web/features/rooms/api/delete-room.ts'
import { RoomPicture } from './room-picture.tsx'

const noRoom = 'none'

export interface DeleteRoomDialogProps {
  room: RoomRecord
  /** The number of boards in the room. */
  deviceCount: number
  /** Rooms to which its boards may move. */
  others: readonly RoomRecord[]
  onClose: () => void
}

/** Asks before a room is deleted, and where its boards move. */
export function DeleteRoomDialog({ room, deviceCount, others, onClose }: DeleteRoomDialogProps) {
  const t = useText()
  const deletion = useSave(useDeleteRoom().mutateAsync, { done: t('rooms.deleted'), failed: t('rooms.deleteFailed') })
  const [target, setTarget] = useState(noRoom)

  async function remove() {
    if (await deletion.save({ id: room._id, moveTo: target === noRoom ? null : target })) onClose()
  }
  return (
    <DialogSheet
      isOpen
      onClose={onClose}
      title={t('rooms.deleteTitle', { name: room.roomName })}
      description={deviceCount === 0 ? t('rooms.deleteEmpty') : t('rooms.deleteMoves', { count: deviceCount })}
      footer={
        <>
          <SheetClose />
          <Button variant="danger" isBusy={deletion.isSaving} onClick={() => void remove()}>
            {t('rooms.deleteDo')}
          </Button>
        </>
      }
    >
      {deviceCount > 0 && (
        <div inert={deletion.isSaving} className="py-2">
          <Select
            label={t('rooms.moveTo')}
            value={target}
            onChange={setTarget}
            choices={[
              { value: noRoom, label: t('rooms.moveToNone') },
              ...others.map(({ _id, roomName }) => ({
                value: _id,
                label: roomName,
                mark: <RoomPicture roomName={roomName} />
              }))
            ]}
          />
        </div>
      )}
    </DialogSheet>
  )
}
