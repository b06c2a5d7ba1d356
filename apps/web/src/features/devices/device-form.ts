import type { DeviceRecord, updateDevice } from '@batti/contracts'
import type { CallOptions } from '@batti/client/request'

/** The owner's settings of a board. `roomId` '' is no room. */
export interface DeviceForm {
  name: string
  roomId: string
  colour: string
  wifiName: string
  wifiPassword: string
}
export type DeviceChanges = NonNullable<CallOptions<typeof updateDevice>['body']>

export function formOf(device: DeviceRecord): DeviceForm {
  return {
    name: device.setName,
    roomId: device.setRoom?._id ?? '',
    colour: device.activeColor,
    wifiName: device.wifiSSID,
    wifiPassword: device.wifiPassword ?? ''
  }
}

/** The name must not be blank. */
export const canSave = ({ name }: DeviceForm): boolean => name.trim() !== ''

/**
 * Returns the body of PATCH /devices/{id}: only trimmed differences. Wi-Fi and colour are sent to the board, which
 * would leave its network and rejoin the same one.
 */
export function changesOf(before: DeviceForm, form: DeviceForm, roomName: string | null): DeviceChanges {
  const name = form.name.trim()
  const colour = form.colour.trim()
  const wifiName = form.wifiName.trim()
  const wifiPassword = form.wifiPassword.trim()
  return {
    ...(name !== before.name && { setName: name }),
    ...(form.roomId !== before.roomId && {
      setRoom: form.roomId === '' ? null : form.roomId,
      setRoomName: roomName
    }),
    ...(colour !== '' && colour !== before.colour && { activeColor: colour }),
    ...(wifiName !== before.wifiName && { wifiSSID: wifiName }),
    ...(wifiPassword !== before.wifiPassword && { wifiPassword })
  }
}
