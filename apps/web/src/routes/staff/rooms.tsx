import { deleteRoom, type RoomRecord } from '@batti/contracts'
import { useState } from 'react'
import { StaffRoomFormDialog } from '#web/features/staff-rooms/components/room-form-dialog.tsx'
import { StaffRoomViewDialog } from '#web/features/staff-rooms/components/room-view-dialog.tsx'
import { roomColumns, useStaffRoomList } from '#web/features/staff-rooms/room-list.tsx'
import { UserPicker } from '#web/features/users/components/user-picker.tsx'
import { AddButton } from '#web/ui/add-button.tsx'
import { DeleteDialog } from '#web/ui/overlays/delete-dialog.tsx'
import { ListPage } from '#web/ui/list-page.tsx'
import type { PickerItem } from '#web/ui/fields/record-picker.tsx'
import { RowMenu } from '#web/ui/overlays/row-menu.tsx'
import { OwnerChip } from '#web/routes/parts/owner-chip.tsx'
import { useChange } from '#web/lib/api/use-change.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useIsAdmin } from '#web/lib/session/use-is-admin.ts'
import { staffViews } from '#web/lib/records/staff-views.ts'
import { useOpened } from '#web/lib/use-opened.ts'

/** /admin/rooms and /monitor/rooms. */
export function Screen() {
  const t = useText()
  const isAdmin = useIsAdmin()
  const list = useStaffRoomList()
  const remove = useChange(deleteRoom, staffViews.rooms)
  const dialogs = useOpened<RoomRecord>()
  const [owner, setOwner] = useState<PickerItem | null>(null)
  const viewed = dialogs.in('view')
  const edited = dialogs.in('edit')
  const deleted = dialogs.in('delete')
  return (
    <ListPage
      title={t('staffRooms.title')}
      add={isAdmin && <AddButton label={t('staffRooms.add')} onClick={dialogs.create} />}
      list={list}
      filters={<OwnerChip list={list} />}
      columns={roomColumns}
      words={{
        showing: 'staffRooms.showing',
        search: t('staffRooms.search'),
        failed: t('staffRooms.failed'),
        empty: t('staffRooms.none')
      }}
      nameOf={({ roomName }) => roomName}
      onOpen={(room) => dialogs.open('view', room)}
      renderMenu={(room) => (
        <RowMenu
          onView={() => dialogs.open('view', room)}
          onEdit={isAdmin ? () => dialogs.open('edit', room) : undefined}
          onDelete={isAdmin ? () => dialogs.open('delete', room) : undefined}
        />
      )}
    >
      {viewed !== null && <StaffRoomViewDialog room={viewed} onClose={dialogs.close} />}
      {(dialogs.isCreating || edited !== null) && (
        <StaffRoomFormDialog
          key={edited?._id}
          room={edited}
          ownerId={owner?.value ?? null}
          ownerField={<UserPicker label={t('staffRooms.owner')} value={owner} onChange={setOwner} />}
          onClose={dialogs.close}
        />
      )}
      {deleted !== null && (
        <DeleteDialog
          title={t('staffRooms.deleteTitle', { name: deleted.roomName })}
          body={t('staffRooms.deleteBody', { count: deleted.deviceCount })}
          remove={() => remove({ params: { id: deleted._id } })}
          done={t('staffRooms.deleted')}
          failed={t('staffRooms.deleteFailed')}
          onClose={dialogs.close}
        />
      )}
    </ListPage>
  )
}
