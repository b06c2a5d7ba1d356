import { deleteDevice, type DeviceRecord } from '@batti/contracts'
import { boardViews } from '#web/features/board/board-views.ts'
import { EditDeviceDialog } from '#web/features/staff-devices/components/edit-device-dialog.tsx'
import { DeleteDialog } from '#web/ui/delete-dialog.tsx'
import { useChange } from '#web/lib/api/use-change.ts'
import { deviceTitle } from '#web/lib/device-title.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { staffViews } from '#web/lib/staff-views.ts'
import { OwnerField } from './owner-field.tsx'

interface BoardChangeProps {
  device: DeviceRecord
  onClose: () => void
}

/** What staff set of a board, its owner too. */
export function EditBoardDialog({ device, onClose }: BoardChangeProps) {
  const owner = device.userId === null ? null : { value: device.userId._id, label: device.userId.name }
  return (
    <EditDeviceDialog
      device={device}
      renderOwner={(set, error) => <OwnerField initial={owner} onChange={set} error={error} />}
      onClose={onClose}
    />
  )
}

/** The question before a board is deleted; `leave` goes away from its page first, which must not ask for what is gone. */
export function DeleteBoardDialog({
  device,
  onClose,
  leave
}: BoardChangeProps & { leave?: () => void | Promise<void> }) {
  const t = useText()
  const remove = useChange(deleteDevice, [...staffViews.devices, ...boardViews])
  return (
    <DeleteDialog
      title={t('devices.deleteTitle', { name: deviceTitle(device) })}
      body={t('devices.deleteBody')}
      remove={async () => {
        await leave?.()
        await remove({ params: { id: device._id } })
      }}
      done={t('devices.deleted')}
      failed={t('devices.deleteFailed')}
      onClose={onClose}
    />
  )
}
