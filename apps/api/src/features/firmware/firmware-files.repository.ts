import { compareVersions } from '@batti/contracts'
import { Types, type Model } from 'mongoose'
import { isDuplicateKey } from '../../platform/store/database.ts'
import { containsText, type Page } from '../../platform/paging.ts'
import type { FirmwareFileDocument } from './firmware-file.model.ts'

export type NewFirmwareFile = Omit<FirmwareFileDocument, 'uploadedBy'> & { uploadedBy: string | null }

/** Storage operations of firmware files; null if absent. */
export function createFirmwareFilesRepository(model: Model<FirmwareFileDocument>) {
  return {
    newId: () => new Types.ObjectId(),
    async list(search: string | undefined, sort: Record<string, 1 | -1>, page: Page) {
      const pattern = containsText(search ?? '')
      const condition = (search ?? '').trim() === '' ? {} : { $or: [{ filename: pattern }, { version: pattern }] }
      const [files, total] = await Promise.all([
        model.find(condition).sort(sort).skip(page.skip).limit(page.limit).lean<FirmwareFileDocument[]>(),
        model.countDocuments(condition)
      ])
      return { files, total }
    },
    findById: (id: string) => model.findById(id).lean<FirmwareFileDocument>(),
    findByName: (filename: string) => model.findOne({ filename }).lean<FirmwareFileDocument>(),
    /** Returns whether the file exists. Makes a transaction that creates a rollout of it conflict with one that deletes it. */
    claim: async (id: string): Promise<boolean> =>
      (await model.updateOne({ _id: id }, { $inc: { usedRev: 1 } })).matchedCount === 1,
    /** Compares by value: `1.4`, `1.4.0` and `01.4` are equal. */
    async findByVersion(hwModel: string | null, version: string): Promise<FirmwareFileDocument | null> {
      const files = await model.find({ hwModel }).lean<FirmwareFileDocument[]>()
      return files.find((file) => compareVersions(file.version, version) === 0) ?? null
    },
    /** Returns images for this model and images without a model, newest version first. */
    findForModel: (hwModel: string) =>
      model
        .find({ hwModel: { $in: [hwModel, null] } })
        .sort({ versionOrder: -1 })
        .lean<FirmwareFileDocument[]>(),
    findAll: () => model.find({}).sort({ versionOrder: -1 }).lean<FirmwareFileDocument[]>(),
    async highestSecureVersion(hwModel: string): Promise<number> {
      const [highest] = await model
        .find({ hwModel, secureVersion: { $ne: null } }, { secureVersion: 1 })
        .sort({ secureVersion: -1 })
        .limit(1)
        .lean<Pick<FirmwareFileDocument, 'secureVersion'>[]>()
      return highest?.secureVersion ?? 0
    },
    /** Returns null if a file of that name, or of that model and version, exists. */
    async insert(file: NewFirmwareFile): Promise<FirmwareFileDocument | null> {
      try {
        return (await model.create(file)).toObject()
      } catch (error) {
        if (isDuplicateKey(error)) return null
        throw error
      }
    },
    update: (filename: string, fields: Partial<Pick<FirmwareFileDocument, 'state' | 'from'>>) =>
      model.findOneAndUpdate({ filename }, { $set: fields }, { returnDocument: 'after' }).lean<FirmwareFileDocument>(),
    async delete(filename: string): Promise<boolean> {
      return (await model.deleteOne({ filename })).deletedCount === 1
    }
  }
}
export type FirmwareFilesRepository = ReturnType<typeof createFirmwareFilesRepository>
