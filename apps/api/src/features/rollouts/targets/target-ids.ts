import type { Model, QueryFilter, Types } from 'mongoose'
import { inBatches } from '../../../platform/store/batches/in-batches.ts'
import { inProgressPhases } from './judge-target.ts'
import type { TargetDocument } from './target.model.ts'

/** Queries that return ids of boards only: of a rollout, of a phase of it, or of any unfinished rollout. */
export function createTargetIds(model: Model<TargetDocument>) {
  const idsOf = async (condition: QueryFilter<TargetDocument>): Promise<string[]> =>
    (await model.find(condition, { deviceId: 1 }).lean<Pick<TargetDocument, 'deviceId'>[]>()).map(({ deviceId }) =>
      String(deviceId)
    )

  return {
    /** Returns boards that were tried since then, are in progress or were done recently, and have not changed for a while. */
    sentSince: (
      rolloutId: string,
      { from, doneAfter, unchangedSince }: { from: Date; doneAfter: Date; unchangedSince: Date }
    ) =>
      idsOf({
        rolloutId,
        triedAt: { $gte: from },
        changedAt: { $lte: unchangedSince },
        $or: [{ phase: { $in: [...inProgressPhases] } }, { phase: 'done', doneAt: { $gte: doneAfter } }]
      }),
    doneIds: (rolloutId: string, before?: Date) =>
      idsOf({ rolloutId, phase: 'done', ...(before === undefined ? {} : { doneAt: { $lte: before } }) }),
    updatedIds: (rolloutId: string) => idsOf({ rolloutId, phase: { $in: ['done', 'proving'] } }),
    waitingIds: (rolloutId: string) => idsOf({ rolloutId, phase: 'waiting' }),
    openIds: (rolloutId: Types.ObjectId) => idsOf({ rolloutId, isOpen: true }),
    /** Returns the boards that are in an unfinished rollout other than `except`. */
    async findBusy(deviceIds: readonly string[], except?: Types.ObjectId): Promise<Set<string>> {
      const busy = new Set<string>()
      const others = except === undefined ? {} : { rolloutId: { $ne: except } }
      for (const batch of inBatches(deviceIds))
        for (const id of await idsOf({ deviceId: { $in: batch }, isOpen: true, ...others })) busy.add(id)
      return busy
    },
    /** Returns boards between two versions, whose commands must wait. */
    lockedIds: () => idsOf({ isOpen: true, phase: { $in: ['install', 'reboot'] } })
  }
}
