import type { SwitchRecord } from '@batti/contracts'
import { displayName, outletTypeOf, type LiveDevice } from '../../boards/registry/live-device.ts'
import type { SwitchDocument } from './switch.model.ts'

/** A switch for HTTP: its record, and what its board says. */
export function presentSwitch(
  document: SwitchDocument,
  device: LiveDevice | undefined,
  room: SwitchRecord['roomId']
): SwitchRecord {
  const index = document.switchIndex
  return {
    _id: String(document._id),
    switchName: document.switchName,
    switchIndex: index,
    deviceId: String(document.deviceId),
    deviceMac: device?.mac ?? '',
    deviceName: device === undefined ? '' : displayName(device),
    roomId: room,
    type: device === undefined ? 'switch' : outletTypeOf(device, index),
    isFavorite: document.isFavorite,
    status: device?.switch[index] ?? false,
    speed: device?.speed[index] ?? 0,
    isOnline: device?.isOnline ?? false,
    userId: device?.userId ?? null,
    createdAt: document.createdAt.toISOString()
  }
}
