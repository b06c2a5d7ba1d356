import { deleteSwitch, updateSwitch, type SwitchRecord } from '@batti/contracts'
import { Heart, HeartOff } from 'lucide-react'
import { SwitchFormDialog } from '#web/features/staff-switches/components/switch-form-dialog.tsx'
import { SwitchViewDialog } from '#web/features/staff-switches/components/switch-view-dialog.tsx'
import { AddButton } from '#web/ui/add-button.tsx'
import type { Column } from '#web/ui/data-table/columns.ts'
import type { TableWords } from '#web/ui/data-table/table-status.tsx'
import { DeleteDialog } from '#web/ui/overlays/delete-dialog.tsx'
import { ListPage } from '#web/ui/list-page.tsx'
import { RefreshButton } from '#web/ui/refresh-button.tsx'
import { RowMenu } from '#web/ui/overlays/row-menu.tsx'
import { useChange } from '#web/lib/api/use-change.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import type { List } from '#web/lib/lists/use-list.ts'
import { useIsAdmin } from '#web/lib/session/use-is-admin.ts'
import { staffViews } from '#web/lib/records/staff-views.ts'
import { useOpened } from '#web/lib/use-opened.ts'
import { useSave } from '#web/lib/use-save.ts'

export interface StaffSwitchesPageProps {
  title: string
  list: List<SwitchRecord>
  columns: readonly Column<SwitchRecord>[]
  words: TableWords
}

/** A list of switches with its dialogs: all of them, or the favourites. */
export function StaffSwitchesPage({ title, list, columns, words }: StaffSwitchesPageProps) {
  const t = useText()
  const isAdmin = useIsAdmin()
  const remove = useChange(deleteSwitch, staffViews.switches)
  const change = useChange(updateSwitch, staffViews.switches)
  const dialogs = useOpened<SwitchRecord>()
  const viewed = dialogs.in('view')
  const edited = dialogs.in('edit')
  const deleted = dialogs.in('delete')
  const favoring = useSave(
    (ids: readonly string[], isFavorite: boolean) =>
      Promise.all(ids.map((id) => change({ params: { id }, body: { isFavorite } }))),
    { done: t('staffSwitches.saved'), failed: t('staffSwitches.favoriteFailed') }
  )
  return (
    <ListPage
      title={title}
      actions={
        <>
          <RefreshButton isBusy={list.state.isFetching && !list.state.isPending} onClick={list.state.refetch} />
          {isAdmin && <AddButton label={t('staffSwitches.add')} onClick={dialogs.create} />}
        </>
      }
      list={list}
      columns={columns}
      words={words}
      nameOf={({ switchName }) => switchName}
      onOpen={(record) => dialogs.open('view', record)}
      renderMenu={(record) => (
        <RowMenu
          onView={() => dialogs.open('view', record)}
          onEdit={isAdmin ? () => dialogs.open('edit', record) : undefined}
          onDelete={isAdmin ? () => dialogs.open('delete', record) : undefined}
        />
      )}
      bulk={
        isAdmin
          ? [
              {
                id: 'favorite',
                label: t('staffSwitches.makeFavorite'),
                icon: <Heart size={16} />,
                isBusy: favoring.isSaving,
                run: ({ ids }) => void favoring.save(ids, true)
              },
              {
                id: 'unfavorite',
                label: t('staffSwitches.unmakeFavorite'),
                icon: <HeartOff size={16} />,
                isBusy: favoring.isSaving,
                run: ({ ids }) => void favoring.save(ids, false)
              }
            ]
          : []
      }
    >
      {viewed !== null && <SwitchViewDialog record={viewed} onClose={dialogs.close} />}
      {(dialogs.isCreating || edited !== null) && (
        <SwitchFormDialog key={edited?._id} record={edited} onClose={dialogs.close} />
      )}
      {deleted !== null && (
        <DeleteDialog
          title={t('staffSwitches.deleteTitle', { name: deleted.switchName })}
          body={t('staffSwitches.deleteBody')}
          remove={() => remove({ params: { id: deleted._id } })}
          done={t('staffSwitches.deleted')}
          failed={t('staffSwitches.deleteFailed')}
          onClose={dialogs.close}
        />
      )}
    </ListPage>
  )
}
