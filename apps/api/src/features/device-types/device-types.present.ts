import { everyList, type DeviceTypeRecord } from '@batti/contracts'
import type { DeviceTypeDocument } from './device-type.model.ts'

export function presentDeviceType(type: DeviceTypeDocument): DeviceTypeRecord {
  return {
    _id: String(type._id),
    deviceCode: type.deviceCode,
    deviceName: type.deviceName,
    hwModel: type.hwModel,
    description: type.description,
    numberOfSwitches: type.numberOfSwitches,
    numberOfFans: type.numberOfFans,
    numberOfSockets: type.numberOfSockets,
    ...everyList(type),
    deviceImage: type.deviceImage,
    createdAt: type.createdAt.toISOString()
  }
}
