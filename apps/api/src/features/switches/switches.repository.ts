import { Types, type Model, type QueryFilter } from 'mongoose'
import { containsText, orderOf, type Page } from '../../platform/paging.ts'
import { loadInTurn } from '../../platform/store/batches/load-together.ts'
import type { ListColumns } from '../../platform/store/lists/list-columns.ts'
import { hasKey, type TextSearch } from '../../platform/store/lists/search-keys.ts'
import { findIds, findSortedPage } from '../../platform/store/lists/sorted-page.ts'
import type { SwitchDocument } from '../../boards/registry/switch.model.ts'

export interface SwitchFilter {
  /** Undefined: switches of all boards. */
  deviceIds?: readonly (string | Types.ObjectId)[]
  isFavorite?: boolean
  search?: string | undefined
  /** Boards whose name matches the search; null if there are too many. */
  orDeviceIds?: readonly string[] | null
}

/** Columns that belong to the board. */
const sortFields: Readonly<Record<string, string>> = {
  deviceName: 'list.deviceName',
  status: 'list.status',
  type: 'list.type',
  roomId: 'list.room'
}

function searchOf({ search, orDeviceIds = [] }: SwitchFilter): TextSearch | undefined {
  const text = search?.trim() ?? ''
  if (text === '') return undefined
  const byBoard = orDeviceIds !== null && orDeviceIds.length > 0 ? [{ deviceId: { $in: orDeviceIds } }] : []
  return {
    byKeys: orDeviceIds === null ? null : [hasKey('switchName', text), ...byBoard],
    byReading: [
      ...['switchName', 'list.deviceName', 'list.deviceType'].map((field) => ({ [field]: containsText(text) })),
      ...byBoard
    ]
  }
}

function conditionOf({ deviceIds, isFavorite }: SwitchFilter): QueryFilter<SwitchDocument> {
  return {
    ...(deviceIds === undefined ? {} : { deviceId: { $in: [...deviceIds] } }),
    ...(isFavorite === undefined ? {} : { isFavorite })
  }
}

/** Storage operations of switches; null if absent. */
export function createSwitchesRepository(model: Model<SwitchDocument>, columns: ListColumns) {
  return {
    async list(
      filter: SwitchFilter,
      sort: string | undefined,
      page: Page
    ): Promise<{ switches: SwitchDocument[]; total: number }> {
      if (sort?.replace(/^-/, '') === 'status') await columns.settled()
      const order =
        sort === undefined && filter.deviceIds !== undefined
          ? { deviceId: 1 as const, switchIndex: 1 as const, _id: 1 as const }
          : orderOf(sort, { createdAt: -1 }, sortFields)
      const found = await findSortedPage(model, conditionOf(filter), { order, page, search: searchOf(filter) })
      return { switches: found.rows, total: found.total }
    },
    count: (filter: Pick<SwitchFilter, 'deviceIds' | 'isFavorite'>) => model.countDocuments(conditionOf(filter)),
    findById: (id: string) => model.findById(id).lean<SwitchDocument>(),
    /** Returns the board of a switch; null if there is no such switch. */
    deviceIdOf: async (id: string): Promise<string | null> => {
      const found = await model.findById(id, { _id: 0, deviceId: 1 }).lean<Pick<SwitchDocument, 'deviceId'>>()
      return found === null ? null : String(found.deviceId)
    },
    findByDevice: (deviceId: string, switchIndex: number) =>
      model.findOne({ deviceId, switchIndex }).lean<SwitchDocument>(),
    /** Returns the ids of switches whose name contains the text; null if there are too many. */
    findIdsByName: async (search: string): Promise<string[] | null> =>
      (await findIds(model, { byKeys: [hasKey('switchName', search.trim())] }))?.map(String) ?? null,
    /** Finds a switch for a tap, without a delay. A client that tries ids costs one read for many. */
    findTogether: loadInTurn(async (ids) => {
      const found = await model.find({ _id: { $in: ids } }).lean<SwitchDocument[]>()
      return new Map(found.map((record) => [String(record._id), record]))
    }),
    async insert(
      fields: Pick<SwitchDocument, 'switchIndex' | 'switchName' | 'isFavorite'> & { deviceId: string }
    ): Promise<SwitchDocument> {
      const created = await model.create({ ...fields, deviceId: new Types.ObjectId(fields.deviceId) })
      await columns.boardsChanged({ ids: [created.deviceId] })
      return created.toObject()
    },
    /** Creates one record per outlet; existing ones keep their names. */
    async insertMissing(deviceId: Types.ObjectId, outlets: number): Promise<void> {
      const existing = await model.find({ deviceId }, { switchIndex: 1 }).lean<SwitchDocument[]>()
      const known = new Set(existing.map(({ switchIndex }) => switchIndex))
      const missing = Array.from({ length: outlets }, (_, index) => index).filter((index) => !known.has(index))
      await model.insertMany(
        missing.map((switchIndex) => ({
          deviceId,
          switchIndex,
          switchName: `Switch ${switchIndex + 1}`,
          isFavorite: false
        }))
      )
      if (missing.length > 0) await columns.boardsChanged({ ids: [deviceId] })
    },
    async update(id: string, fields: Partial<SwitchDocument>): Promise<SwitchDocument | null> {
      const updated = await model
        .findByIdAndUpdate(id, { $set: fields }, { returnDocument: 'after' })
        .lean<SwitchDocument>()
      // Schedules show its name, and another outlet may be of another kind.
      if (updated !== null && ('switchName' in fields || 'switchIndex' in fields)) {
        await columns.boardsChanged({ ids: [updated.deviceId] })
      }
      return updated
    },
    /** Counts another schedule of the switch at that outlet; returns false if there is none. */
    async countSchedule(outlet: { switchId: string; deviceId: string; switchIndex: number }): Promise<boolean> {
      const { switchId: _id, ...place } = outlet
      return (
        (await model.updateOne({ _id, ...place }, { $inc: { planned: 1 } }, { timestamps: false })).matchedCount === 1
      )
    },
    async delete(id: string): Promise<boolean> {
      return (await model.deleteOne({ _id: id })).deletedCount === 1
    },
    deleteByDevice: (deviceId: string) => model.deleteMany({ deviceId })
  }
}
export type SwitchesRepository = ReturnType<typeof createSwitchesRepository>
