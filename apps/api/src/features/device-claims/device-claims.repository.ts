import { Types, type Model } from 'mongoose'
import { loadTogether } from '../../platform/store/load-together.ts'
import type { ClaimStep, DeviceClaimDocument } from './device-claim.model.ts'

/** Steps that every instance notices by itself. */
const notifiedOnce: ReadonlySet<ClaimStep> = new Set(['online', 'expired'])

/** An attempt of a board is over by then, also where the database let each of its calls wait. */
const attemptMs = 15_000

interface Use {
  mac: string
  now: Date
}

/** A code that nobody used, or this very board in an attempt that something broke off. */
const usable = ({ mac, now }: Use) => {
  const brokenOff = { usedBy: mac, usedAt: { $lte: new Date(now.getTime() - attemptMs) } }
  return {
    expiresAt: { $gt: now },
    $or: [{ usedAt: null }, { ...brokenOff, step: { $nin: ['claimed' as const, 'online' as const] } }]
  }
}

/** Storage verbs of pairing codes; absence is null. */
export function createDeviceClaimsRepository(model: Model<DeviceClaimDocument>) {
  return {
    async insert(
      claim: Pick<DeviceClaimDocument, 'codeHash' | 'expiresAt' | 'createdAt'> & { userId: string }
    ): Promise<DeviceClaimDocument> {
      return (await model.create({ ...claim, userId: new Types.ObjectId(claim.userId) })).toObject()
    },
    findById: (id: string) => model.findById(id).lean<DeviceClaimDocument>(),
    findUsable: (userId: string, codeHash: string, use: Use) =>
      model.findOne({ codeHash, userId, ...usable(use) }).lean<DeviceClaimDocument>(),
    /** For firmware in the field, which sends no code: the newest pairing window that its user has open. */
    findOpenWindow: (userId: string, now: Date) =>
      model
        .findOne({ userId, usedAt: null, windowUsedAt: null, expiresAt: { $gt: now } })
        .sort({ createdAt: -1 })
        .lean<DeviceClaimDocument>(),
    /** Spends a code; null when another board was quicker. */
    spend: (id: DeviceClaimDocument['_id'], { mac, now }: Use) =>
      model
        .findOneAndUpdate(
          { _id: id, ...usable({ mac, now }) },
          { $set: { usedAt: now, usedBy: mac } },
          { returnDocument: 'after' }
        )
        .lean<DeviceClaimDocument>(),
    /** Spends the window of a code, and not the code itself; null when another board was quicker. */
    spendWindow: (id: DeviceClaimDocument['_id'], { now }: Use) =>
      model
        .findOneAndUpdate({ _id: id, windowUsedAt: null, expiresAt: { $gt: now } }, { $set: { windowUsedAt: now } })
        .lean<DeviceClaimDocument>(),
    /** Gives a code back whose board could not be taken. */
    unspend: (id: DeviceClaimDocument['_id']) => model.updateOne({ _id: id }, { $set: { usedAt: null } }),
    /** Null when another instance was faster, and has told it. */
    setStep: (id: DeviceClaimDocument['_id'], step: ClaimStep, more: { deviceId?: string; detail?: string }) =>
      model
        .findOneAndUpdate(
          { _id: id, ...(notifiedOnce.has(step) ? { step: { $ne: step } } : {}) },
          {
            $set: {
              step,
              detail: more.detail ?? null,
              ...(more.deviceId === undefined ? {} : { deviceId: more.deviceId })
            }
          },
          { returnDocument: 'after' }
        )
        .lean<DeviceClaimDocument>(),
    /** Those that wait for their board to connect; boards that come back together are looked up together. */
    listClaimedOfDevice: loadTogether<DeviceClaimDocument[]>(async (deviceIds) => {
      const found = await model.find({ deviceId: { $in: deviceIds }, step: 'claimed' }).lean<DeviceClaimDocument[]>()
      return Map.groupBy(found, ({ deviceId }) => String(deviceId))
    }),
    async listExpired(now: Date): Promise<DeviceClaimDocument[]> {
      return model
        .find({ expiresAt: { $lte: now }, step: { $in: ['waiting', 'reached', 'failed'] } })
        .limit(100)
        .lean<DeviceClaimDocument[]>()
    },
    deleteOfUser: (userId: string) => model.deleteMany({ userId })
  }
}
export type DeviceClaimsRepository = ReturnType<typeof createDeviceClaimsRepository>
