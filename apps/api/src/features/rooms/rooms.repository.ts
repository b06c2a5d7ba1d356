import type { Model } from 'mongoose'
import { containsText, orderOf, type Page } from '../../platform/paging.ts'
import { countByField } from '../../platform/store/lists/count-by-field.ts'
import type { ListColumns } from '../../platform/store/lists/list-columns.ts'
import { hasKey, type TextSearch } from '../../platform/store/lists/search-keys.ts'
import { findIds, findSortedPage } from '../../platform/store/lists/sorted-page.ts'
import type { RoomDocument } from './room.model.ts'

export interface RoomFilter {
  /** Undefined: rooms of all accounts. */
  userId?: string
  search?: string | undefined
}

const sortFields: Readonly<Record<string, string>> = { deviceCount: 'counts.devices', onlineCount: 'counts.online' }

const searchFor = (text: string): TextSearch => ({
  byKeys: [hasKey('roomName', text)],
  byReading: [{ roomName: containsText(text) }]
})

/** Storage operations of rooms; null if absent. */
export function createRoomsRepository(model: Model<RoomDocument>, columns: ListColumns) {
  return {
    async list(
      filter: RoomFilter,
      sort: string | undefined,
      page: Page
    ): Promise<{ rooms: RoomDocument[]; total: number }> {
      const text = filter.search?.trim() ?? ''
      const condition = filter.userId === undefined ? {} : { userId: filter.userId }
      const usual = { createdAt: filter.userId === undefined ? (-1 as const) : (1 as const) }
      const order = orderOf(sort, usual, sortFields)
      const found = await findSortedPage(model, condition, {
        order,
        page,
        search: text === '' ? undefined : searchFor(text)
      })
      return { rooms: found.rows, total: found.total }
    },
    /** Returns the ids of rooms whose name contains the text; null if there are too many among all accounts. */
    async searchIds(search: string, userId?: string): Promise<string[] | null> {
      if (userId === undefined) return (await findIds(model, searchFor(search)))?.map(String) ?? null
      const found = await model.find({ userId, roomName: containsText(search) }, { _id: 1 }).lean()
      return found.map(({ _id }) => String(_id))
    },
    /** Counts the rooms of each of these people. */
    async countByUser(userIds: readonly string[]): Promise<Map<string, number>> {
      return countByField(model, 'userId', userIds)
    },
    findById: (id: string) => model.findById(id).lean<RoomDocument>(),
    findManyByIds: (ids: readonly string[]) => model.find({ _id: { $in: ids } }).lean<RoomDocument[]>(),
    count: (userId?: string): Promise<number> =>
      userId === undefined ? model.estimatedDocumentCount() : model.countDocuments({ userId }),
    async insert(userId: string, roomName: string): Promise<RoomDocument> {
      const created = (await model.create({ userId, roomName })).toObject()
      await columns.homesChanged([userId])
      return created
    },
    async rename(id: string, roomName: string): Promise<RoomDocument | null> {
      const renamed = await model
        .findByIdAndUpdate(id, { $set: { roomName } }, { returnDocument: 'after' })
        .lean<RoomDocument>()
      await columns.boardsChanged({ setRoom: id })
      return renamed
    },
    async delete(id: string): Promise<boolean> {
      const gone = await model.findByIdAndDelete(id).lean<RoomDocument>()
      if (gone !== null) await columns.homesChanged([String(gone.userId)])
      return gone !== null
    },
    async deleteOfUser(userId: string): Promise<void> {
      await model.deleteMany({ userId })
    }
  }
}
export type RoomsRepository = ReturnType<typeof createRoomsRepository>
