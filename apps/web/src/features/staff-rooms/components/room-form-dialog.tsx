import { createRoom, listRooms, updateRoom, type RoomRecord } from '@batti/contracts'
import type { ReactNode } from 'react'
import { FormDialog } from '#web/ui/overlays/form-dialog.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { bodyRules, useChange } from '#web/lib/api/use-change.ts'
import { useCreate } from '#web/lib/api/use-create.ts'
import { useRouteForm } from '#web/lib/form/use-route-form.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { staffViews } from '#web/lib/records/staff-views.ts'
import { useApi, useUser } from '#web/lib/services.ts'

export interface StaffRoomFormDialogProps {
  room: RoomRecord | null
  /** The owner of a new room. */
  ownerId: string | null
  ownerField: ReactNode
  onClose: () => void
}

/** Creates or renames a room of an account. */
export function StaffRoomFormDialog({ room, ownerId, ownerField, onClose }: StaffRoomFormDialogProps) {
  const t = useText()
  const api = useApi()
  const me = useUser()
  const make = useChange(createRoom, staffViews.rooms)
  const create = useCreate(
    (body: { roomName: string; userId?: string }) => make({ body }),
    async (query) => (await api.call(listRooms, { query: { ...query, userId: ownerId ?? me?._id } })).rooms,
    (made, { roomName }) => made.roomName === roomName
  )
  const update = useChange(updateRoom, staffViews.rooms)
  const { field, ...form } = useRouteForm({
    rules: bodyRules(createRoom),
    initial: { roomName: room?.roomName ?? '' },
    save: ({ roomName }) =>
      room === null
        ? create({ roomName, ...(ownerId !== null && { userId: ownerId }) })
        : update({ params: { id: room._id }, body: { roomName } }),
    onSaved: onClose,
    done: t('staffRooms.saved'),
    failed: t('staffRooms.saveFailed')
  })
  return (
    <FormDialog
      form={form}
      title={t(room === null ? 'staffRooms.add' : 'staffRooms.edit')}
      submitLabel={t(room === null ? 'staffRooms.add' : 'common.save')}
      onClose={onClose}
    >
      {room === null && ownerField}
      <TextField label={t('staffRooms.name')} {...field('roomName')} maxLength={100} autoComplete="off" />
    </FormDialog>
  )
}
