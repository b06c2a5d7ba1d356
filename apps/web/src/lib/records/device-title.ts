import type { DeviceRecord } from '@batti/contracts'

/** Returns the name that the owner gave a board, else its model's name. */
export function deviceTitle(device: Pick<DeviceRecord, 'setName' | 'deviceName'>): string {
  return device.setName.trim() === '' ? device.deviceName : device.setName
}
