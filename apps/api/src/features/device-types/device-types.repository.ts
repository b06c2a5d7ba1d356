import type { Model } from 'mongoose'
import { firstDeviceTypes, type DeviceTypeDocument } from './device-type.model.ts'

/** Storage verbs of device types; absence is null. */
export function createDeviceTypesRepository(model: Model<DeviceTypeDocument>) {
  return {
    async seedWhenEmpty(): Promise<void> {
      if ((await model.estimatedDocumentCount()) > 0) return
      for (const seed of firstDeviceTypes) {
        // An upsert, because several api instances may start on one empty database.
        await model.updateOne(
          { deviceCode: seed.deviceCode, hwModel: seed.hwModel },
          {
            $setOnInsert: { ...seed, numberOfFans: seed.fanIndexes.length, numberOfSockets: seed.socketIndexes.length }
          },
          { upsert: true }
        )
      }
    },
    findByCode(deviceCode: string): Promise<DeviceTypeDocument | null> {
      return model.findOne({ deviceCode }).lean<DeviceTypeDocument>()
    },
    findByCodeAndModel(deviceCode: string, hwModel: string): Promise<DeviceTypeDocument | null> {
      return model.findOne({ deviceCode, hwModel }).lean<DeviceTypeDocument>()
    },
    findByCodes(deviceCodes: readonly string[]): Promise<DeviceTypeDocument[]> {
      return model.find({ deviceCode: { $in: deviceCodes } }).lean<DeviceTypeDocument[]>()
    }
  }
}
export type DeviceTypesRepository = ReturnType<typeof createDeviceTypesRepository>
