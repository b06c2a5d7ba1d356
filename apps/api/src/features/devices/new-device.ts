import { defaultBoardColour, kindsOf, newOutlets, outletsToWire, type IndexLists } from '@batti/contracts'
import type { DeviceInput } from '../../boards/registry/device.model.ts'

/** The fields of a device type that its boards are created from. */
export interface DeviceType extends IndexLists {
  deviceCode: string
  hwModel: string
  deviceName: string
  numberOfSwitches: number
  deviceImage: string | null
}

/** Returns the fields of a board that has never reported; `timezone` is its owner's until it reports one. */
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
