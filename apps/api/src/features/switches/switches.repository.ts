import { outletKinds } from '@batti/contracts'
import { Types, type Model } from 'mongoose'
import { containsText, orderOf, type Page } from '../../platform/paging.ts'
import { findSortedPage, joinField } from '../../platform/store/sorted-page.ts'
import type { SwitchDocument } from '../../boards/registry/switch.model.ts'

export interface SwitchFilter {
  /** Undefined: of every board. */
  deviceIds?: readonly (string | Types.ObjectId)[]
  isFavorite?: boolean
  search?: string | undefined
  /** Boards whose name matches the search. */
  orDeviceIds?: readonly string[]
}

/** Columns that the board holds. */
const byBoard: Readonly<Record<string, ReturnType<typeof joinField>>> = {
  deviceName: joinField(
    'devices',
    'deviceId',
    { $cond: [{ $in: ['$_joined.setName', ['', null]] }, '$_joined.deviceName', '$_joined.setName'] },
    '_byBoard'
  ),
  status: joinField('devices', 'deviceId', { $arrayElemAt: ['$_joined.switch', '$switchIndex'] }, '_byBoard'),
  type: joinField(
    'devices',
    'deviceId',
    outletKinds.reduce<string | object>(
      (other, kind) => ({
        $cond: [{ $in: ['$switchIndex', { $ifNull: [`$_joined.${kind}Indexes`, []] }] }, kind, other]
      }),
      'switch'
    ),
    '_byBoard'
  ),
  roomId: [
    ...joinField('devices', 'deviceId', '$_joined.setRoom', '_byBoard'),
    ...joinField('rooms', '_byBoard', '$_joined.roomName', '_byBoard')
  ]
}

/** Storage verbs of switches; absence is null. */
export function createSwitchesRepository(
  model: Model<SwitchDocument>,
  /** Stores what boards said of their outlets. */
  settleStates: () => Promise<void>
) {
  return {
    async list(
      filter: SwitchFilter,
      sort: string | undefined,
      page: Page
    ): Promise<{ switches: SwitchDocument[]; total: number }> {
      const text = filter.search?.trim() ?? ''
      const condition = {
        ...(filter.deviceIds === undefined ? {} : { deviceId: { $in: filter.deviceIds } }),
        ...(filter.isFavorite === undefined ? {} : { isFavorite: filter.isFavorite }),
        ...(text === ''
          ? {}
          : { $or: [{ switchName: containsText(text) }, { deviceId: { $in: filter.orDeviceIds ?? [] } }] })
      } as object
      const column = sort?.replace(/^-/, '') ?? ''
      const joins = byBoard[column]
      if (column === 'status') await settleStates()
      const order =
        sort === undefined && filter.deviceIds !== undefined
          ? { deviceId: 1 as const, switchIndex: 1 as const, _id: 1 as const }
          : orderOf(sort, { createdAt: -1 }, joins === undefined ? {} : { [column]: '_byBoard' })
      const found = await findSortedPage(model, condition, { order, page, joins })
      return { switches: found.rows, total: found.total }
    },
    count: (filter: Pick<SwitchFilter, 'deviceIds' | 'isFavorite'>) =>
      model.countDocuments({
        ...(filter.deviceIds === undefined ? {} : { deviceId: { $in: filter.deviceIds } }),
        ...(filter.isFavorite === undefined ? {} : { isFavorite: filter.isFavorite })
      } as object),
    findById: (id: string) => model.findById(id).lean<SwitchDocument>(),
    findByDevice: (deviceId: string, switchIndex: number) =>
      model.findOne({ deviceId, switchIndex }).lean<SwitchDocument>(),
    /** Ids of switches whose name contains the text, 1000 at most. */
    async findIdsByName(search: string): Promise<string[]> {
      const found = await model
        .find({ switchName: containsText(search) }, { _id: 1 })
        .limit(1000)
        .lean()
      return found.map(({ _id }) => String(_id))
    },
    findManyByIds: (ids: readonly string[]) => model.find({ _id: { $in: ids } }).lean<SwitchDocument[]>(),
    async insert(
      fields: Pick<SwitchDocument, 'switchIndex' | 'switchName' | 'isFavorite'> & { deviceId: string }
    ): Promise<SwitchDocument> {
      return (await model.create({ ...fields, deviceId: new Types.ObjectId(fields.deviceId) })).toObject()
    },
    /** One record an outlet; those that exist stay as people named them. */
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
    },
    update: (id: string, fields: Partial<SwitchDocument>) =>
      model.findByIdAndUpdate(id, { $set: fields }, { returnDocument: 'after' }).lean<SwitchDocument>(),
    async delete(id: string): Promise<boolean> {
      return (await model.deleteOne({ _id: id })).deletedCount === 1
    },
    deleteByDevice: (deviceId: string) => model.deleteMany({ deviceId })
  }
}
export type SwitchesRepository = ReturnType<typeof createSwitchesRepository>
