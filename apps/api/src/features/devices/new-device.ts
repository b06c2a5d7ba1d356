import { defaultBoardColour, defaultTimezone } from '@batti/contracts'
import type { DeviceInput } from './device.model.ts'

/** A kind of board, as far as a board of it takes after it. */
export interface DeviceType {
  deviceCode: string
  hwModel: string
  deviceName: string
  numberOfSwitches: number
  fanIndexes: number[]
  socketIndexes: number[]
  deviceImage: string | null
}

/** The fields of a board that has never spoken. */
export function newDevice(type: DeviceType, deviceMac: string): DeviceInput {
  return {
    deviceMac,
    deviceCode: type.deviceCode,
    deviceName: type.deviceName,
    hwModel: type.hwModel,
    switch: Array.from({ length: type.numberOfSwitches }, () => false),
    speed: Array.from({ length: type.numberOfSwitches }, () => 0),
    fanIndexes: type.fanIndexes,
    socketIndexes: type.socketIndexes,
    activeColor: defaultBoardColour,
    timezone: defaultTimezone
  }
}
