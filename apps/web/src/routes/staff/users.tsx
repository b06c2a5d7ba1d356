import { deleteUser, type UserListRecord } from '@batti/contracts'
import { useNavigate } from 'react-router-dom'
import { useUserList } from '#web/features/users/api/list-users.ts'
import { AddUserDialog, EditUserDialog } from '#web/features/users/components/user-form-dialog.tsx'
import { userColumns } from '#web/features/users/user-columns.tsx'
import { AddButton } from '#web/ui/add-button.tsx'
import { DeleteDialog } from '#web/ui/overlays/delete-dialog.tsx'
import { ListPage } from '#web/ui/list-page.tsx'
import { RowMenu } from '#web/ui/overlays/row-menu.tsx'
import { useChange } from '#web/lib/api/use-change.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useIsAdmin } from '#web/lib/session/use-is-admin.ts'
import { staffViews } from '#web/lib/records/staff-views.ts'
import { useOpened } from '#web/lib/use-opened.ts'

/** /admin/users and /monitor/users. */
export function Screen() {
  const t = useText()
  const navigate = useNavigate()
  const isAdmin = useIsAdmin()
  const list = useUserList()
  const remove = useChange(deleteUser, staffViews.users)
  const dialogs = useOpened<UserListRecord>()
  const edited = dialogs.in('edit')
  const deleted = dialogs.in('delete')
  const view = ({ _id }: UserListRecord) => void navigate(_id)
  return (
    <ListPage
      title={t('users.title')}
      add={isAdmin && <AddButton label={t('users.add')} onClick={dialogs.create} />}
      list={list}
      columns={userColumns}
      words={{
        showing: 'users.showing',
        search: t('users.search'),
        failed: t('users.failed'),
        empty: t('users.none')
      }}
      nameOf={(user) => user.name}
      onOpen={view}
      renderMenu={(user) => (
        <RowMenu
          onView={() => view(user)}
          onEdit={isAdmin ? () => dialogs.open('edit', user) : undefined}
          onDelete={isAdmin ? () => dialogs.open('delete', user) : undefined}
        />
      )}
    >
      {dialogs.isCreating && <AddUserDialog onClose={dialogs.close} />}
      {edited !== null && <EditUserDialog key={edited._id} user={edited} onClose={dialogs.close} />}
      {deleted !== null && (
        <DeleteDialog
          title={t('users.deleteTitle', { name: deleted.name })}
          body={t('users.deleteBody')}
          remove={() => remove({ params: { id: deleted._id } })}
          done={t('users.deleted')}
          failed={t('users.deleteFailed')}
          onClose={dialogs.close}
        />
      )}
    </ListPage>
  )
}
