import type { SwitchRecord } from '@batti/contracts'
import { displayName, type LiveDevice } from '../../boards/registry/live-device.ts'
import type { SwitchDocument } from '../../boards/registry/switch.model.ts'

/** Presents a switch for HTTP: its record, and the state that its board reported. */
export function presentSwitch(
  document: SwitchDocument,
  device: LiveDevice | undefined,
  room: SwitchRecord['roomId']
): SwitchRecord {
  const index = document.switchIndex
  const outlet = device?.outlets[index]
  return {
    _id: String(document._id),
    switchName: document.switchName,
    switchIndex: index,
    deviceId: String(document.deviceId),
    deviceMac: device?.mac ?? '',
    deviceName: device === undefined ? '' : displayName(device),
    roomId: room,
    type: outlet?.kind ?? 'switch',
    isFavorite: document.isFavorite,
    status: outlet?.on ?? false,
    speed: outlet?.level ?? 0,
    isOnline: device?.isOnline ?? false,
    userId: device?.userId ?? null,
    createdAt: document.createdAt.toISOString()
  }
}
