import type { RoomRecord } from '@batti/contracts'
import { useId, useState, type FormEvent } from 'react'
import { Button } from '#web/ui/button.tsx'
import { DialogSheet } from '#web/ui/overlays/dialog-sheet.tsx'
import { Form } from '#web/ui/fields/form.tsx'
import { SheetClose } from '#web/ui/overlays/sheet-close.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { isUnanswered } from '#web/lib/api/after-write.ts'
import { faultsOf } from '#web/lib/form/fault-words.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { notify } from '#web/lib/notify.ts'
import { useSave } from '#web/lib/use-save.ts'
import { useRooms } from '#web/features/rooms/api/list-rooms.ts'
import { isCalled, useSaveRoom } from '#web/features/rooms/api/save-room.ts'
import { RoomPicture } from './room-picture.tsx'

/** Creates a room (`room` null), or renames one. */
export function RoomFormDialog({ room, onClose }: { room: RoomRecord | null; onClose: () => void }) {
  const t = useText()
  const formId = useId()
  const rooms = useRooms()
  const before = room?.roomName ?? ''
  const [name, setName] = useState(before)
  const [error, setError] = useState<string>()
  // A room with this name was probably created by a try without an answer.
  const [tried, setTried] = useState<string>()
  const change = useSaveRoom()
  const saving = useSave(change.mutateAsync, {
    done: t(room === null ? 'rooms.added' : 'rooms.renamed'),
    failed: t('rooms.saveFailed'),
    onRefused: (message, failure) => {
      const fault = faultsOf(t, failure)['roomName']
      setError(fault)
      if (isUnanswered(failure)) setTried(name.trim())
      // A lost connection is no fault of the name.
      if (fault === undefined) notify.error(message)
    }
  })

  async function submit(event: FormEvent) {
    event.preventDefault()
    const roomName = name.trim()
    if (roomName === '') return setError(t('rooms.nameRequired'))
    const isTaken = rooms.data?.rooms.some((other) => other._id !== room?._id && isCalled(other, roomName))
    if (isTaken === true && roomName !== tried) return setError(t('rooms.nameTaken'))
    setError(undefined)
    if (await saving.save({ id: room?._id ?? null, roomName })) onClose()
  }
  return (
    <DialogSheet
      isOpen
      onClose={onClose}
      title={t(room === null ? 'rooms.add' : 'rooms.edit')}
      isSaving={saving.isSaving}
      isDirty={name.trim() !== before && name.trim() !== ''}
      footer={
        <>
          <SheetClose />
          <Button type="submit" form={formId} isBusy={saving.isSaving}>
            {t(room === null ? 'rooms.addDo' : 'common.save')}
          </Button>
        </>
      }
    >
      <Form id={formId} isSaving={saving.isSaving} onSubmit={(event) => void submit(event)} className="py-1">
        <TextField
          label={t('rooms.name')}
          value={name}
          error={error}
          maxLength={100}
          autoComplete="off"
          before={<RoomPicture roomName={name} className="text-20" />}
          onChange={(event) => {
            setName(event.target.value)
            setError(undefined)
          }}
        />
      </Form>
    </DialogSheet>
  )
}
