import type { Model } from 'mongoose'
import { containsText, orderOf, type Page } from '../../platform/paging.ts'
import { countByField } from '../../platform/store/count-by-field.ts'
import { findSortedPage, joinCount } from '../../platform/store/sorted-page.ts'
import type { RoomDocument } from './room.model.ts'

export interface RoomFilter {
  /** Undefined: of everybody. */
  userId?: string
  search?: string | undefined
}

const counts: Readonly<Record<string, ReturnType<typeof joinCount>>> = {
  deviceCount: joinCount('devices', 'setRoom', '_byCount'),
  onlineCount: joinCount('devices', 'setRoom', '_byCount', { isOnline: true })
}

/** Storage verbs of rooms; absence is null. */
export function createRoomsRepository(model: Model<RoomDocument>) {
  return {
    async list(
      filter: RoomFilter,
      sort: string | undefined,
      page: Page
    ): Promise<{ rooms: RoomDocument[]; total: number }> {
      const text = filter.search?.trim() ?? ''
      const condition = {
        ...(filter.userId === undefined ? {} : { userId: filter.userId }),
        ...(text === '' ? {} : { roomName: containsText(text) })
      }
      const usual = { createdAt: filter.userId === undefined ? (-1 as const) : (1 as const) }
      const order = orderOf(sort, usual, { deviceCount: '_byCount', onlineCount: '_byCount' })
      const joins = counts[sort?.replace(/^-/, '') ?? '']
      const found = await findSortedPage(model, condition, { order, page, joins })
      return { rooms: found.rows, total: found.total }
    },
    /** Ids of rooms whose name contains the text, 1000 at most. */
    async searchIds(search: string, userId?: string): Promise<string[]> {
      const own = userId === undefined ? {} : { userId }
      const found = await model
        .find({ ...own, roomName: containsText(search) }, { _id: 1 })
        .limit(1000)
        .lean()
      return found.map(({ _id }) => String(_id))
    },
    /** How many rooms each of these people has. */
    async countByUser(userIds: readonly string[]): Promise<Map<string, number>> {
      return countByField(model, 'userId', userIds)
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
