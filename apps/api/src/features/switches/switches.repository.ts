import { Types, type Model } from 'mongoose'
import { containsText, type Page } from '../../platform/paging.ts'
import type { SwitchDocument } from '../../boards/registry/switch.model.ts'

export interface SwitchFilter {
  /** Undefined: of every board. */
  deviceIds?: readonly (string | Types.ObjectId)[]
  isFavorite?: boolean
  search?: string | undefined
  /** Boards whose name matches the search. */
  orDeviceIds?: readonly string[]
}

/** Storage verbs of switches; absence is null. */
export function createSwitchesRepository(model: Model<SwitchDocument>) {
  return {
    async list(filter: SwitchFilter, page: Page): Promise<{ switches: SwitchDocument[]; total: number }> {
      const text = filter.search?.trim() ?? ''
      const condition = {
        ...(filter.deviceIds === undefined ? {} : { deviceId: { $in: filter.deviceIds } }),
        ...(filter.isFavorite === undefined ? {} : { isFavorite: filter.isFavorite }),
        ...(text === ''
          ? {}
          : { $or: [{ switchName: containsText(text) }, { deviceId: { $in: filter.orDeviceIds ?? [] } }] })
      } as object
      const isEverything = Object.keys(condition).length === 0
      const [switches, total] = await Promise.all([
        model
          .find(condition)
          .sort(filter.deviceIds === undefined ? { createdAt: -1 } : { deviceId: 1, switchIndex: 1 })
          .skip(page.skip)
          .limit(page.limit)
          .lean<SwitchDocument[]>(),
        isEverything ? model.estimatedDocumentCount() : model.countDocuments(condition)
      ])
      return { switches, total }
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
