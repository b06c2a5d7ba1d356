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

const trimmed = (form: DeviceForm): DeviceForm => ({
  ...form,
  name: form.name.trim(),
  colour: form.colour.trim(),
  wifiName: form.wifiName.trim(),
  wifiPassword: form.wifiPassword.trim()
})

/**
 * Returns the body of PATCH /devices/{id}: only trimmed differences, and the `tried` fields. Wi-Fi and colour are sent
 * to the board, which would leave its network and rejoin the same one.
 */
export function changesOf(
  opened: DeviceForm,
  typed: DeviceForm,
  roomName: string | null,
  tried: ReadonlySet<string> = new Set()
): DeviceChanges {
  const before = trimmed(opened)
  const { name, roomId, colour, wifiName, wifiPassword } = trimmed(typed)
  const isSent = (field: keyof DeviceChanges, value: string, was: string) => value !== was || tried.has(field)
  return {
    ...(isSent('setName', name, before.name) && { setName: name }),
    ...(isSent('setRoom', roomId, before.roomId) && { setRoom: roomId === '' ? null : roomId, setRoomName: roomName }),
    ...(colour !== '' && isSent('activeColor', colour, before.colour) && { activeColor: colour }),
    ...(isSent('wifiSSID', wifiName, before.wifiName) && { wifiSSID: wifiName }),
    ...(isSent('wifiPassword', wifiPassword, before.wifiPassword) && { wifiPassword })
  }
}
