import { Types, type Model } from 'mongoose'
import { loadTogether } from '../../platform/store/batches/load-together.ts'
import type { ClaimStep, DeviceClaimDocument } from './device-claim.model.ts'

/** Steps that every instance detects by itself. */
const notifiedOnce: ReadonlySet<ClaimStep> = new Set(['online', 'expired'])

/** A pairing attempt is over after this long, even if every database call of it was slow. */
const attemptMs = 15_000

interface Use {
  mac: string
  now: Date
}

/** What is stored with a step. */
export interface StepFacts {
  deviceId?: string
  detail?: string
  answered?: NonNullable<DeviceClaimDocument['answered']>
}

/** Matches a code with which this board began an attempt whose end is unknown, before or after `attemptMs` ago. */
const begunBy = ({ mac, now }: Use, side: '$lte' | '$gt') => ({
  usedBy: mac,
  usedAt: { [side]: new Date(now.getTime() - attemptMs) },
  step: { $nin: ['claimed' as const, 'online' as const] }
})

/** Matches a code that is unused, or used by this very board in an interrupted attempt. */
const usable = (use: Use) => ({ expiresAt: { $gt: use.now }, $or: [{ usedAt: null }, begunBy(use, '$lte')] })

/** Storage operations of pairing codes; null if absent. */
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
    /** Whether this very board has just sent the code, and the attempt may still be in progress, at any instance. */
    isBeingUsed: async (userId: string, codeHash: string, use: Use): Promise<boolean> =>
      (await model.exists({ codeHash, userId, ...begunBy(use, '$gt') })) !== null,
    /** For firmware in the field, which sends no code: returns the user's newest open pairing window. */
    findOpenWindow: (userId: string, now: Date) =>
      model
        .findOne({ userId, usedAt: null, windowUsedAt: null, expiresAt: { $gt: now } })
        .sort({ createdAt: -1 })
        .lean<DeviceClaimDocument>(),
    /** Spends a code; null if another board was quicker. */
    spend: (id: DeviceClaimDocument['_id'], { mac, now }: Use) =>
      model
        .findOneAndUpdate(
          { _id: id, ...usable({ mac, now }) },
          { $set: { usedAt: now, usedBy: mac } },
          { returnDocument: 'after' }
        )
        .lean<DeviceClaimDocument>(),
    /** Spends the window of a code, but not the code itself; null if another board was quicker. */
    spendWindow: (id: DeviceClaimDocument['_id'], { now }: Use) =>
      model
        .findOneAndUpdate({ _id: id, windowUsedAt: null, expiresAt: { $gt: now } }, { $set: { windowUsedAt: now } })
        .lean<DeviceClaimDocument>(),
    /** Restores a code whose board could not be claimed. */
    unspend: (id: DeviceClaimDocument['_id']) => model.updateOne({ _id: id }, { $set: { usedAt: null } }),
    /** Returns null if another instance was faster, and has announced the step. */
    setStep: (id: DeviceClaimDocument['_id'], step: ClaimStep, more: StepFacts) =>
      model
        .findOneAndUpdate(
          { _id: id, ...(notifiedOnce.has(step) ? { step: { $ne: step } } : {}) },
          {
            $set: {
              step,
              detail: more.detail ?? null,
              ...(more.deviceId === undefined ? {} : { deviceId: more.deviceId }),
              ...(more.answered === undefined ? {} : { answered: more.answered })
            }
          },
          { returnDocument: 'after' }
        )
        .lean<DeviceClaimDocument>(),
    /** Whether this very request got credentials for the board since then. */
    wasAnswered: async (deviceId: string, to: string, since: Date): Promise<boolean> =>
      (await model.exists({ deviceId, 'answered.to': to, 'answered.at': { $gt: since } })) !== null,
    /** Returns the pairings that wait for their board to connect. Lookups of boards that reconnect together are batched. */
    listClaimedOfDevice: loadTogether<DeviceClaimDocument[]>(async (deviceIds) => {
      const found = await model.find({ deviceId: { $in: deviceIds }, step: 'claimed' }).lean<DeviceClaimDocument[]>()
      return Map.groupBy(found, ({ deviceId }) => String(deviceId))
    }),
    /** Those that a board has used end in another way, or with the process that was to answer it. */
    async listExpired(now: Date): Promise<DeviceClaimDocument[]> {
      return model
        .find({ expiresAt: { $lte: now }, usedAt: null, step: { $in: ['waiting', 'reached', 'failed'] } })
        .limit(100)
        .lean<DeviceClaimDocument[]>()
    },
    deleteOfUser: (userId: string) => model.deleteMany({ userId })
  }
}
export type DeviceClaimsRepository = ReturnType<typeof createDeviceClaimsRepository>
