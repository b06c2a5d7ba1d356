import { deleteMonitor, type MonitorRecord } from '@batti/contracts'
import { MonitorFormDialog } from '#web/features/monitors/components/monitor-form-dialog.tsx'
import { monitorColumns, useMonitorList } from '#web/features/monitors/monitor-list.tsx'
import { AddButton } from '#web/ui/add-button.tsx'
import { DeleteDialog } from '#web/ui/overlays/delete-dialog.tsx'
import { ListPage } from '#web/ui/list-page.tsx'
import { RowMenu } from '#web/ui/overlays/row-menu.tsx'
import { useChange } from '#web/lib/api/use-change.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { staffViews } from '#web/lib/records/staff-views.ts'
import { useOpened } from '#web/lib/use-opened.ts'

/** /admin/monitors. */
export function Screen() {
  const t = useText()
  const list = useMonitorList()
  const remove = useChange(deleteMonitor, staffViews.monitors)
  const dialogs = useOpened<MonitorRecord>()
  const edited = dialogs.in('edit')
  const deleted = dialogs.in('delete')
  const add = <AddButton label={t('monitors.add')} onClick={dialogs.create} />
  return (
    <ListPage
      title={t('monitors.title')}
      add={add}
      list={list}
      columns={monitorColumns}
      words={{
        showing: 'monitors.showing',
        search: t('monitors.search'),
        failed: t('monitors.failed'),
        empty: t('monitors.none'),
        emptyHint: t('monitors.noneHint')
      }}
      nameOf={({ name }) => name}
      onOpen={(monitor) => dialogs.open('edit', monitor)}
      renderMenu={(monitor) => (
        <RowMenu onEdit={() => dialogs.open('edit', monitor)} onDelete={() => dialogs.open('delete', monitor)} />
      )}
    >
      {(dialogs.isCreating || edited !== null) && (
        <MonitorFormDialog key={edited?._id} monitor={edited} onClose={dialogs.close} />
      )}
      {deleted !== null && (
        <DeleteDialog
          title={t('monitors.deleteTitle', { name: deleted.name })}
          body={t('monitors.deleteBody')}
          remove={() => remove({ params: { id: deleted._id } })}
          done={t('monitors.deleted')}
          failed={t('monitors.deleteFailed')}
          onClose={dialogs.close}
        />
      )}
    </ListPage>
  )
}
