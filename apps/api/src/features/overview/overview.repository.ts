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
    /** Counts the outlets that are on according to their boards' last reports. */
    async countSwitchesOn(): Promise<number> {
      const [row] = await devices.aggregate<{ on: number }>([
        { $match: { switch: true } },
        {
          $group: {
            _id: null,
            on: { $sum: { $size: { $filter: { input: '$switch', as: 'isOn', cond: '$$isOn' } } } }
          }
        }
      ])
      return row?.on ?? 0
    }
  }
}
