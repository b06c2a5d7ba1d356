import { Types, type Model, type QueryFilter } from 'mongoose'
import { isDuplicateKey } from '../../platform/store/database.ts'
import { containsText, type Page } from '../../platform/paging.ts'
import type { DeviceDocument, DeviceInput } from '../../boards/registry/device.model.ts'

export interface DeviceFilter {
  userId?: string
  roomId?: string
  isOnline?: boolean
  search?: string | undefined
}

/** Storage verbs of boards; absence is null. */
export function createDevicesRepository(model: Model<DeviceDocument>) {
  function query(filter: DeviceFilter): QueryFilter<DeviceDocument> {
    const text = filter.search?.trim()
    const anyOf =
      text === undefined || text === ''
        ? {}
        : {
            $or: ['deviceName', 'setName', 'deviceMac', 'deviceCode'].map((field) => ({ [field]: containsText(text) }))
          }
    return {
      ...(filter.userId === undefined ? {} : { userId: filter.userId }),
      ...(filter.roomId === undefined ? {} : { setRoom: filter.roomId }),
      ...(filter.isOnline === undefined ? {} : { isOnline: filter.isOnline }),
      ...anyOf
    }
  }

  return {
    async list(filter: DeviceFilter, page: Page): Promise<{ devices: DeviceDocument[]; total: number }> {
      const condition = query(filter)
      const newestLast = filter.userId !== undefined
      const isEverything = Object.keys(condition).length === 0
      const [devices, total] = await Promise.all([
        model
          .find(condition)
          .sort({ createdAt: newestLast ? 1 : -1 })
          .skip(page.skip)
          .limit(page.limit)
          .lean<DeviceDocument[]>(),
        isEverything ? model.estimatedDocumentCount() : model.countDocuments(condition)
      ])
      return { devices, total }
    },
    findById: (id: string) => model.findById(id).lean<DeviceDocument>(),
    findByMac: (deviceMac: string) => model.findOne({ deviceMac }).lean<DeviceDocument>(),
    findManyByIds: (ids: readonly string[]) => model.find({ _id: { $in: ids } }).lean<DeviceDocument[]>(),
    findAllOfUser: (userId: string) => model.find({ userId }).lean<DeviceDocument[]>(),
    /** Null when a board with that MAC exists already. */
    async insertUnlessTaken(fields: DeviceInput): Promise<DeviceDocument | null> {
      try {
        return (await model.create(withReferences(fields))).toObject()
      } catch (error) {
        if (isDuplicateKey(error)) return null
        throw error
      }
    },
    update: (id: string, fields: DeviceInput) =>
      model.findByIdAndUpdate(id, { $set: withReferences(fields) }, { returnDocument: 'after' }).lean<DeviceDocument>(),
    /** Settings that the board must be told: their revision counts up with them. */
    updateSettings: (id: string, fields: DeviceInput) =>
      model
        .findByIdAndUpdate(id, { $set: withReferences(fields), $inc: { configRev: 1 } }, { returnDocument: 'after' })
        .lean<DeviceDocument>(),
    /** Only while nobody owns it: two claims of one board at once cannot both succeed. */
    claim: (id: string, fields: DeviceInput) =>
      model
        .findOneAndUpdate({ _id: id, userId: null }, { $set: withReferences(fields) }, { returnDocument: 'after' })
        .lean<DeviceDocument>(),
    async delete(id: string): Promise<boolean> {
      return (await model.deleteOne({ _id: id })).deletedCount === 1
    }
  }
}
export type DevicesRepository = ReturnType<typeof createDevicesRepository>

function withReferences({ userId, setRoom, createdBy, updatedBy, ...fields }: DeviceInput): Partial<DeviceDocument> {
  const document: Partial<DeviceDocument> = { ...fields }
  if (userId !== undefined) document.userId = reference(userId)
  if (setRoom !== undefined) document.setRoom = reference(setRoom)
  if (createdBy !== undefined) document.createdBy = reference(createdBy)
  if (updatedBy !== undefined) document.updatedBy = reference(updatedBy)
  return document
}

const reference = (id: string | null): Types.ObjectId | null => (id === null ? null : new Types.ObjectId(id))
