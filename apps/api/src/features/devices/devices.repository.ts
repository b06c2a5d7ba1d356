import DataLoader from 'dataloader'
import { Types, type Model, type QueryFilter } from 'mongoose'
import { isDuplicateKey } from '../../platform/store/database.ts'
import { containsText, type Page } from '../../platform/paging.ts'
import type { DeviceDocument, DeviceInput } from './device.model.ts'

export interface DeviceFilter {
  userId?: string
  roomId?: string
  isOnline?: boolean
  search?: string | undefined
}

type Credential = Pick<DeviceDocument, 'credentialHash' | 'pendingHash'>

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

  /**
   * Those asked for in one turn are read together, straight through the driver: thousands of boards may come back at once.
   * Nothing is kept: a credential that was taken back must not open anything a moment later.
   */
  const credentials = new DataLoader<string, Credential | null>(
    async (ids) => {
      const found = await model.collection
        .find<Credential & Pick<DeviceDocument, '_id'>>(
          { _id: { $in: ids.map((id) => new Types.ObjectId(id)) } },
          { projection: { credentialHash: 1, pendingHash: 1 } }
        )
        .toArray()
      const byId = new Map(found.map((credential) => [String(credential._id), credential]))
      return ids.map((id) => byId.get(id) ?? null)
    },
    { cache: false }
  )

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
    /** What a CONNECT is held against, and no more: null for a board that does not exist. */
    findCredential: (id: string): Promise<Credential | null> => credentials.load(id),
    findByMac: (deviceMac: string) => model.findOne({ deviceMac }).lean<DeviceDocument>(),
    findManyByIds: (ids: readonly string[]) => model.find({ _id: { $in: ids } }).lean<DeviceDocument[]>(),
    async findIdsByName(search: string): Promise<string[]> {
      const text = containsText(search)
      const found = await model
        .find({ $or: [{ deviceName: text }, { setName: text }] }, { _id: 1 })
        .limit(1000)
        .lean<Pick<DeviceDocument, '_id'>[]>()
      return found.map(({ _id }) => String(_id))
    },
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
    /** The new credential has been used: the old one is dead. */
    promoteCredential: (id: string, pendingHash: string) =>
      model.updateOne({ _id: id, pendingHash }, { $set: { credentialHash: pendingHash, pendingHash: null } }),
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
