import type { DeviceRecord } from '@batti/contracts'

/** The name that its owner gave a board, else its model's. */
export function deviceTitle(device: Pick<DeviceRecord, 'setName' | 'deviceName'>): string {
  return device.setName.trim() === '' ? device.deviceName : device.setName
}
