import { deleteDevice, type DeviceRecord } from '@batti/contracts'
import { EditDeviceDialog } from '#web/features/staff-devices/components/edit-device-dialog.tsx'
import { DeleteDialog } from '#web/ui/overlays/delete-dialog.tsx'
import { useChange } from '#web/lib/api/use-change.ts'
import { deviceTitle } from '#web/lib/records/device-title.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { staffViews } from '#web/lib/records/staff-views.ts'
import { OwnerField } from './owner-field.tsx'

interface BoardChangeProps {
  device: DeviceRecord
  onClose: () => void
}

/** Edits the staff's settings of a board, including its owner. */
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

/** Asks before a board is deleted. `leave` navigates away first, as the page must not query a deleted board. */
export function DeleteBoardDialog({
  device,
  onClose,
  leave
}: BoardChangeProps & { leave?: () => void | Promise<void> }) {
  const t = useText()
  const remove = useChange(deleteDevice, staffViews.devices)
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
