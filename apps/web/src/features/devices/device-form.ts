import type { DeviceRecord, updateDevice } from '@batti/contracts'
import type { CallOptions } from '@batti/client/request'

/** What its owner may change of a board. `roomId` '' is no room. */
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

/** Not with a name that is blank after trimming. */
export const canSave = ({ name }: DeviceForm): boolean => name.trim() !== ''

/**
 * The body of PATCH /devices/{id}: what differs, trimmed. What stays is left out, because Wi-Fi and colour are pushed to
 * the board, which would leave its network for the same one.
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
