import { deleteDeviceType, getDeviceType, type DeviceTypeRecord } from '@batti/contracts'
import { TypeFormDialog } from '#web/features/device-types/components/type-form-dialog.tsx'
import { TypeViewDialog } from '#web/features/device-types/components/type-view-dialog.tsx'
import { typeColumns, useTypeList } from '#web/features/device-types/type-list.tsx'
import { AddButton } from '#web/ui/add-button.tsx'
import { DeleteDialog } from '#web/ui/overlays/delete-dialog.tsx'
import { ListPage } from '#web/ui/list-page.tsx'
import { RowMenu } from '#web/ui/overlays/row-menu.tsx'
import { errorMessage } from '#web/lib/api/api-error.ts'
import { useChange } from '#web/lib/api/use-change.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { notify } from '#web/lib/notify.ts'
import { useApi } from '#web/lib/services.ts'
import { staffViews } from '#web/lib/records/staff-views.ts'
import { useOpened } from '#web/lib/use-opened.ts'

/** /admin/device-types. */
export function Screen() {
  const t = useText()
  const api = useApi()
  const list = useTypeList()
  const remove = useChange(deleteDeviceType, staffViews.deviceTypes)
  const dialogs = useOpened<DeviceTypeRecord>()
  const viewed = dialogs.in('view')
  const edited = dialogs.in('edit')
  const deleted = dialogs.in('delete')

  /** Opens the current record: the list's may be outdated, and saving it would undo another admin's change. */
  async function edit({ _id: id }: DeviceTypeRecord) {
    try {
      await dialogs.openLoaded('edit', () => api.call(getDeviceType, { params: { id } }))
    } catch (error) {
      const message = errorMessage(error, t('types.dataFailed'))
      if (message !== null) notify.error(message, 'device-type')
    }
  }

  return (
    <ListPage
      title={t('types.title')}
      add={<AddButton label={t('types.add')} onClick={dialogs.create} />}
      list={list}
      columns={typeColumns}
      words={{
        showing: 'types.showing',
        search: t('types.search'),
        failed: t('types.failed'),
        empty: t('types.none')
      }}
      nameOf={({ deviceName }) => deviceName}
      onOpen={(type) => dialogs.open('view', type)}
      renderMenu={(type) => (
        <RowMenu
          onView={() => dialogs.open('view', type)}
          onEdit={() => void edit(type)}
          onDelete={() => dialogs.open('delete', type)}
        />
      )}
    >
      {viewed !== null && <TypeViewDialog type={viewed} onClose={dialogs.close} />}
      {(dialogs.isCreating || edited !== null) && (
        <TypeFormDialog key={edited?._id} type={edited} onClose={dialogs.close} />
      )}
      {deleted !== null && (
        <DeleteDialog
          title={t('types.deleteTitle', { name: deleted.deviceName })}
          body={t('types.deleteBody')}
          remove={() => remove({ params: { id: deleted._id } })}
          done={t('types.deleted')}
          failed={t('types.deleteFailed')}
          onClose={dialogs.close}
        />
      )}
    </ListPage>
  )
}
