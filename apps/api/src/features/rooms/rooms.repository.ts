import type { Model } from 'mongoose'
import { containsText, type Page } from '../../platform/paging.ts'
import type { RoomDocument } from './room.model.ts'

export interface RoomFilter {
  /** Undefined: of everybody. */
  userId?: string
  search?: string | undefined
}

/** Storage verbs of rooms; absence is null. */
export function createRoomsRepository(model: Model<RoomDocument>) {
  return {
    async list(filter: RoomFilter, page: Page): Promise<{ rooms: RoomDocument[]; total: number }> {
      const text = filter.search?.trim() ?? ''
      const condition = {
        ...(filter.userId === undefined ? {} : { userId: filter.userId }),
        ...(text === '' ? {} : { roomName: containsText(text) })
      }
      const isEverything = Object.keys(condition).length === 0
      const [rooms, total] = await Promise.all([
        model
          .find(condition)
          .sort(filter.userId === undefined ? { createdAt: -1 } : { createdAt: 1 })
          .skip(page.skip)
          .limit(page.limit)
          .lean<RoomDocument[]>(),
        isEverything ? model.estimatedDocumentCount() : model.countDocuments(condition)
      ])
      return { rooms, total }
    },
    findById: (id: string) => model.findById(id).lean<RoomDocument>(),
    findManyByIds: (ids: readonly string[]) => model.find({ _id: { $in: ids } }).lean<RoomDocument[]>(),
    count: (userId?: string): Promise<number> =>
      userId === undefined ? model.estimatedDocumentCount() : model.countDocuments({ userId }),
    async insert(userId: string, roomName: string): Promise<RoomDocument> {
      return (await model.create({ userId, roomName })).toObject()
    },
    rename: (id: string, roomName: string) =>
      model.findByIdAndUpdate(id, { $set: { roomName } }, { returnDocument: 'after' }).lean<RoomDocument>(),
    async delete(id: string): Promise<boolean> {
      return (await model.deleteOne({ _id: id })).deletedCount === 1
    },
    async deleteOfUser(userId: string): Promise<void> {
      await model.deleteMany({ userId })
    }
  }
}
export type RoomsRepository = ReturnType<typeof createRoomsRepository>
