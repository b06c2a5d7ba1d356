import { updateDevice, type DeviceRecord } from '@batti/contracts'
import type { ReactNode } from 'react'
import { ColourField } from '#web/ui/fields/colour-field.tsx'
import { FormDialog } from '#web/ui/overlays/form-dialog.tsx'
import { PasswordField } from '#web/ui/fields/password-field.tsx'
import { RoomSelect } from '#web/ui/fields/room-select.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { bodyRules, useChange } from '#web/lib/api/use-change.ts'
import { useOpenedFields } from '#web/lib/form/use-opened-fields.ts'
import { useRouteForm } from '#web/lib/form/use-route-form.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { deviceTitle } from '#web/lib/records/device-title.ts'
import { staffViews } from '#web/lib/records/staff-views.ts'
import { useRoomsOf } from '#web/features/staff-devices/use-rooms-of.ts'

/** Not in the admin's list of colours. */
const notOffered = ['Aqua Blue']

export interface EditDeviceDialogProps {
  device: DeviceRecord
  renderOwner: (set: (userId: string) => void, error: string | undefined) => ReactNode
  onClose: () => void
}

/** Edits the staff's settings of a board. Only changes are sent: Wi-Fi, colour and servers are forwarded to the board. */
export function EditDeviceDialog({ device, renderOwner, onClose }: EditDeviceDialogProps) {
  const t = useText()
  const update = useChange(updateDevice, staffViews.devices)
  const { opened, sendChanges } = useOpenedFields({
    name: deviceTitle(device),
    roomId: device.setRoom?._id ?? '',
    userId: device.userId?._id,
    wifiSSID: device.wifiSSID,
    wifiPassword: device.wifiPassword ?? '',
    activeColor: device.activeColor,
    osVersion: device.osVersion,
    remoteCode: device.remoteCode,
    serverUrl: device.serverUrl,
    serverPort: device.serverPort ?? undefined,
    mqttPort: device.mqttPort ?? undefined
  })
  const { field, optional, choice, ...form } = useRouteForm({
    rules: bodyRules(updateDevice),
    initial: opened,
    save: (body) => sendChanges(body, (changes) => update({ params: { id: device._id }, body: changes })),
    onSaved: onClose,
    done: t('staffDevices.updated'),
    failed: t('staffDevices.updateFailed')
  })
  const owner = choice('userId')
  const room = choice('roomId')
  const colour = choice('activeColor')
  const ownerId = owner.value ?? ''
  const rooms = useRoomsOf(ownerId)
  const name = choice('name').value ?? ''
  const port = { maxLength: 5, inputMode: 'numeric', autoComplete: 'off' } as const
  return (
    <FormDialog
      form={form}
      width="wide"
      title={t('staffDevices.edit')}
      description={<span className="font-mono text-12">{device.deviceMac}</span>}
      canSubmit={name.trim() !== ''}
      onClose={onClose}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField label={t('staffDevices.name')} {...field('name')} maxLength={100} autoComplete="off" />
        {renderOwner((userId) => {
          owner.onChange(userId)
          room.onChange('')
        }, owner.error)}
        <RoomSelect
          label={t('staffDevices.room')}
          value={typeof room.value === 'string' ? room.value : ''}
          error={rooms.isError ? t('staffDevices.roomsFailed') : room.error}
          rooms={rooms.data ?? (device.setRoom === null ? [] : [device.setRoom])}
          onChange={room.onChange}
        />
        <ColourField
          label={t('staffDevices.colour')}
          without={notOffered}
          value={colour.value ?? ''}
          error={colour.error}
          onChange={colour.onChange}
        />
        <TextField label={t('staffDevices.wifi')} {...field('wifiSSID')} maxLength={32} autoComplete="off" />
        <PasswordField
          label={t('staffDevices.wifiPassword')}
          {...optional('wifiPassword')}
          hint={t('staffDevices.wifiPasswordHint')}
          maxLength={64}
          autoComplete="off"
        />
        <TextField label={t('staffDevices.firmware')} {...field('osVersion')} maxLength={64} autoComplete="off" />
        <TextField label={t('staffDevices.remoteCode')} {...field('remoteCode')} maxLength={128} autoComplete="off" />
      </div>
      <div className="grid gap-4 sm:grid-cols-[minmax(0,1fr)_8rem_8rem]">
        <TextField label={t('staffDevices.serverUrl')} {...field('serverUrl')} maxLength={253} autoComplete="off" />
        <TextField label={t('staffDevices.serverPort')} {...optional('serverPort')} {...port} />
        <TextField label={t('staffDevices.mqttPort')} {...optional('mqttPort')} {...port} />
      </div>
    </FormDialog>
  )
}
