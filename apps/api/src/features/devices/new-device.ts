import { defaultBoardColour, kindsOf, newOutlets, outletsToWire, type IndexLists } from '@batti/contracts'
import type { DeviceInput } from '../../boards/registry/device.model.ts'

/** A kind of board, as far as a board of it takes after it. */
export interface DeviceType extends IndexLists {
  deviceCode: string
  hwModel: string
  deviceName: string
  numberOfSwitches: number
  deviceImage: string | null
}

/** The fields of a board that has never spoken; `timezone` is its owner's until it names one. */
export function newDevice(type: DeviceType, deviceMac: string, timezone: string): DeviceInput {
  return {
    deviceMac,
    deviceCode: type.deviceCode,
    deviceName: type.deviceName,
    hwModel: type.hwModel,
    ...outletsToWire(newOutlets(kindsOf(type.numberOfSwitches, type))),
    activeColor: defaultBoardColour,
    timezone
  }
}
