import type { UpdatePhase } from '@batti/contracts'
import { Types, type Model, type QueryFilter } from 'mongoose'
import { inOrderOf, type Page, type SortOrder } from '../../../platform/paging.ts'
import { isDuplicateKey } from '../../../platform/store/database.ts'
import { deleteInBatches } from '../../../platform/store/batches/delete-in-batches.ts'
import { inBatches } from '../../../platform/store/batches/in-batches.ts'
import { finalPhases, inProgressPhases, underWayPhases } from './judge-target.ts'
import type { RolloutDocument } from '../rollout.model.ts'
import { movedBy, type ClockSet } from './moved-by.ts'
import { createTargetCounts, openPhases } from './target-counts.ts'
import { createTargetEndings } from './target-endings.ts'
import { createTargetIds } from './target-ids.ts'
import { createTargetRetries } from './target-retries.ts'
import { backToWaiting, type TargetDocument, type WaitReason } from './target.model.ts'

export interface NewTarget {
  deviceId: string
  deviceMac: string
  stage: number
  isSingle: boolean
}

const final: UpdatePhase[] = [...finalPhases]
const times = ['sentAt', 'triedAt', 'progressAt', 'changedAt', 'doneAt'] satisfies (keyof TargetDocument)[]

export interface TargetFilter {
  phase?: readonly UpdatePhase[] | undefined
  /** Boards whose MAC matches, and these. */
  search?: { mac: RegExp | null; deviceIds: readonly Types.ObjectId[] } | undefined
}

const conditionOf = (rolloutId: string, { phase, search }: TargetFilter): QueryFilter<TargetDocument> => ({
  rolloutId,
  ...(phase === undefined ? {} : { phase: { $in: [...phase] } }),
  ...(search === undefined
    ? {}
    : {
        $or: [{ deviceId: { $in: [...search.deviceIds] } }, ...(search.mac === null ? [] : [{ deviceMac: search.mac }])]
      })
})

/** Storage operations of the boards of rollouts; null if absent. */
export function createTargetsRepository(model: Model<TargetDocument>) {
  /** Returns null if the target has changed since the caller read it. */
  const change = (
    target: Pick<TargetDocument, '_id' | 'jobId' | 'phase'>,
    fields: Partial<Omit<TargetDocument, '_id'>>,
    more: { sends?: number; resends?: number } = {}
  ) =>
    model
      .findOneAndUpdate(
        { _id: target._id, jobId: target.jobId, phase: target.phase },
        {
          $set: {
            ...fields,
            ...(fields.phase === undefined ? {} : { isOpen: !final.includes(fields.phase) }),
            ...(fields.phase === 'waiting' ? { hasBoard: false } : {}),
            ...(fields.phase === undefined || fields.phase === 'waiting' ? {} : { wait: null })
          },
          ...(Object.keys(more).length === 0 ? {} : { $inc: more })
        },
        { returnDocument: 'after' }
      )
      .lean<TargetDocument>()

  return {
    ...createTargetCounts(model),
    ...createTargetIds(model),
    ...createTargetEndings(model),
    ...createTargetRetries(model),

    async insert(rolloutId: string, targets: readonly NewTarget[], newJobId: () => string, now: Date): Promise<void> {
      const rollout = new Types.ObjectId(rolloutId)
      const rowOf = ({ deviceId, ...target }: NewTarget): Omit<TargetDocument, '_id'> => ({
        ...target,
        ...backToWaiting(newJobId(), now),
        rolloutId: rollout,
        deviceId: new Types.ObjectId(deviceId),
        isOpen: true
      })
      // Inserted as plain objects: creating mongoose documents took longer than storing them, and there may be 20,000.
      for (const batch of inBatches(targets)) {
        await model.insertMany(batch.map(rowOf), { ordered: false, lean: true })
      }
    },
    deleteOf: (rolloutId: string) => deleteInBatches(model, { rolloutId }),
    async list(rolloutId: string, filter: TargetFilter, sort: SortOrder, page: Page) {
      const condition = conditionOf(rolloutId, filter)
      const [targets, total] = await Promise.all([
        model.find(condition).sort(sort).skip(page.skip).limit(page.limit).lean<TargetDocument[]>(),
        model.countDocuments(condition)
      ])
      return { targets, total }
    },
    /** Returns everything that the filter matches, with the fields needed to sort by board. */
    findBoards: (rolloutId: string, filter: TargetFilter) =>
      model
        .find(conditionOf(rolloutId, filter), { deviceId: 1, deviceMac: 1 })
        .lean<Pick<TargetDocument, '_id' | 'deviceId' | 'deviceMac'>[]>(),
    /** Returns targets in the order of `ids`. */
    findByIds: async (ids: readonly TargetDocument['_id'][]): Promise<TargetDocument[]> =>
      inOrderOf(ids, await model.find({ _id: { $in: [...ids] } }).lean<TargetDocument[]>()),
    findInHand: (rolloutId: string) =>
      model.find({ rolloutId, phase: { $in: [...inProgressPhases] } }).lean<TargetDocument[]>(),
    /** The same without boards in their proving time. */
    findUnderWay: (rolloutId: string) =>
      model.find({ rolloutId, phase: { $in: [...underWayPhases] } }).lean<TargetDocument[]>(),
    /** Returns the targets in progress of these boards, in any rollout. */
    findInHandOf: (deviceIds: readonly string[]) =>
      model
        .find({ deviceId: { $in: [...deviceIds] }, isOpen: true, phase: { $in: [...inProgressPhases] } })
        .lean<TargetDocument[]>(),
    /** Returns the rollout's targets of these boards. */
    findOf: (rolloutId: string, deviceIds: readonly string[]) =>
      model.find({ rolloutId, deviceId: { $in: [...deviceIds] } }).lean<TargetDocument[]>(),
    /** Whether a board is working on that file. */
    isUnderWay: async (fileId: string): Promise<boolean> =>
      (await model.exists({ fileId, isOpen: true, phase: { $in: [...underWayPhases] } })) !== null,
    /** Whether any board has yet to get the final image: one that is proving it is sent nothing more. */
    hasToSend: async ({ _id, version }: Pick<RolloutDocument, '_id' | 'version'>): Promise<boolean> =>
      (await model.exists({
        rolloutId: _id,
        phase: { $in: [...openPhases] },
        $or: [{ phase: { $ne: 'proving' } }, { version: { $ne: version } }]
      })) !== null,
    /** Returns waiting boards of the open stages that are due for a check. */
    findWaiting: (rolloutId: string, stage: number, now: Date, limit: number) =>
      model
        .find({ rolloutId, phase: 'waiting', stage: { $lte: stage }, tryAt: { $lte: now } })
        .sort({ tryAt: 1 })
        .limit(limit)
        .lean<TargetDocument[]>(),
    /** Postpones the next check, unless the board has come online since `lookedAt`. */
    async postpone(
      ids: readonly TargetDocument['_id'][],
      until: { wait: WaitReason; tryAt: Date; lookedAt: Date }
    ): Promise<void> {
      if (ids.length === 0) return
      const unchanged = { _id: { $in: [...ids] }, phase: 'waiting', tryAt: { $lte: until.lookedAt } } as const
      await model.updateMany(unchanged, { $set: { wait: until.wait, tryAt: until.tryAt } })
    },
    /** Call after a waiting board came online: it is checked at `at`, when that is stored. */
    wake: (deviceId: string, at: Date) =>
      model.updateMany({ deviceId, isOpen: true, phase: 'waiting' }, { $set: { wait: null, tryAt: at } }),
    change,
    /** Takes the board to send it something. Returns null like `change`, and while another rollout has taken the board. */
    take: (target: TargetDocument, fields: Partial<Omit<TargetDocument, '_id'>>) =>
      change(target, { ...fields, phase: 'sent', hasBoard: true }, { sends: 1 }).catch((error: unknown) => {
        if (isDuplicateKey(error)) return null
        throw error
      }),
    findJob: (jobId: string, deviceId: string) => model.findOne({ jobId, deviceId }).lean<TargetDocument>(),
    /** Moves the times of a rollout's boards along with the clock. Those that wait for a time of the day are checked now. */
    async moveTimes(rolloutId: string, set: ClockSet): Promise<void> {
      const moved = Object.fromEntries(times.map((time) => [time, movedBy(set, `$${time}`)]))
      const left = { rolloutId, clockSetId: { $ne: set.id } }
      const fields = { ...moved, tryAt: set.now, clockSetId: set.id }
      await model.updateMany(left, [{ $set: fields }], { updatePipeline: true })
    },

    /** Returns up to `limit` boards that failed, with their errors, or that were updated. */
    findEnded: (rolloutId: Types.ObjectId, phases: readonly UpdatePhase[], limit: number) =>
      model
        .find({ rolloutId, phase: { $in: [...phases] } }, { deviceId: 1, error: 1 })
        .limit(limit)
        .lean<Pick<TargetDocument, 'deviceId' | 'error'>[]>(),
    findOpenOf: (deviceId: string) => model.find({ deviceId, isOpen: true }).lean<TargetDocument[]>()
  }
}
export type TargetsRepository = ReturnType<typeof createTargetsRepository>
