import type { Model } from 'mongoose'
import type { DeviceDocument } from '../../boards/registry/device.model.ts'
import type { SwitchDocument } from '../../boards/registry/switch.model.ts'

/** Counts of the whole installation. */
export function createOverviewRepository(models: { devices: Model<DeviceDocument>; switches: Model<SwitchDocument> }) {
  const { devices, switches } = models
  return {
    countDevices: (): Promise<number> => devices.estimatedDocumentCount(),
    countOnlineDevices: (): Promise<number> => devices.countDocuments({ isOnline: true }),
    countSwitches: (): Promise<number> => switches.estimatedDocumentCount(),
    countFavorites: (): Promise<number> => switches.countDocuments({ isFavorite: true }),
    /** Counts the switches that are on, in their list's column: its index is much smaller than the boards themselves. */
    countSwitchesOn: (): Promise<number> => switches.countDocuments({ 'list.status': true })
  }
}
