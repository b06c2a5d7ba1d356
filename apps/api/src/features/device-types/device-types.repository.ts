import { isDuplicateKey } from '../../platform/store/database.ts'
import type { Model } from 'mongoose'
import { findSortedPage } from '../../platform/store/lists/sorted-page.ts'
import { containsText, orderOf, type Page } from '../../platform/paging.ts'
import { firstDeviceTypes, type DeviceTypeDocument } from './device-type.model.ts'

export type DeviceTypeFields = Omit<DeviceTypeDocument, '_id' | 'usedRev' | 'createdAt' | 'updatedAt'>

/** Storage operations of device types; null if absent. */
export function createDeviceTypesRepository(model: Model<DeviceTypeDocument>) {
  return {
    async seedWhenEmpty(): Promise<void> {
      if ((await model.estimatedDocumentCount()) > 0) return
      for (const seed of firstDeviceTypes) {
        // An upsert, because several api instances may start on one empty database.
        await model.updateOne(
          { deviceCode: seed.deviceCode, hwModel: seed.hwModel },
          { $setOnInsert: seed },
          { upsert: true }
        )
      }
    },
    findByCodeAndModel(deviceCode: string, hwModel: string): Promise<DeviceTypeDocument | null> {
      return model.findOne({ deviceCode, hwModel }).lean<DeviceTypeDocument>()
    },
    /**
     * Returns whether the type exists. Causes a conflict between a transaction that creates a board of it and one that
     * deletes it.
     */
    async claim(deviceCode: string, hwModel: string): Promise<boolean> {
      const claimed = await model.updateOne({ deviceCode, hwModel }, { $inc: { usedRev: 1 } }, { timestamps: false })
      return claimed.matchedCount === 1
    },
    findByCodes(deviceCodes: readonly string[]): Promise<DeviceTypeDocument[]> {
      return model.find({ deviceCode: { $in: deviceCodes } }).lean<DeviceTypeDocument[]>()
    },
    async list(
      search: string | undefined,
      sort: string | undefined,
      page: Page
    ): Promise<{ types: DeviceTypeDocument[]; total: number }> {
      const pattern = containsText(search ?? '')
      const fields = ['deviceCode', 'deviceName', 'hwModel', 'description']
      const condition = (search ?? '').trim() === '' ? {} : { $or: fields.map((field) => ({ [field]: pattern })) }
      const found = await findSortedPage(model, condition, { order: orderOf(sort, { createdAt: -1 }), page })
      return { types: found.rows, total: found.total }
    },
    count: (): Promise<number> => model.estimatedDocumentCount(),
    findById: (id: string) => model.findById(id).lean<DeviceTypeDocument>(),
    /** Returns null if a type with that code and model exists. */
    async insert(fields: DeviceTypeFields): Promise<DeviceTypeDocument | null> {
      try {
        return (await model.create(fields)).toObject()
      } catch (error) {
        if (isDuplicateKey(error)) return null
        throw error
      }
    },
    /** Returns `taken` if another type has that code and model; null if there is no such type. */
    async update(id: string, fields: Partial<DeviceTypeFields>): Promise<DeviceTypeDocument | null | 'taken'> {
      try {
        return await model
          .findByIdAndUpdate(id, { $set: fields }, { returnDocument: 'after' })
          .lean<DeviceTypeDocument>()
      } catch (error) {
        if (isDuplicateKey(error)) return 'taken'
        throw error
      }
    },
    async delete(id: string): Promise<boolean> {
      return (await model.deleteOne({ _id: id })).deletedCount === 1
    }
  }
}
export type DeviceTypesRepository = ReturnType<typeof createDeviceTypesRepository>
