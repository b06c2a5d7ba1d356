import type { DeviceRecord } from '@batti/contracts'

type Outlets = Pick<DeviceRecord, 'fanIndexes' | 'socketIndexes'>

/** What an outlet of a board is. */
export function outletKind(device: Outlets, index: number): 'switch' | 'fan' | 'socket' {
  if (device.fanIndexes.includes(index)) return 'fan'
  return device.socketIndexes.includes(index) ? 'socket' : 'switch'
}

/** The name that its owner gave a board, else its model's. */
export function deviceTitle(device: Pick<DeviceRecord, 'setName' | 'deviceName'>): string {
  return device.setName.trim() === '' ? device.deviceName : device.setName
}
