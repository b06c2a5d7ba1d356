import type { Model, QueryFilter, Types } from 'mongoose'
import { inBatches } from '../../../platform/store/batches/in-batches.ts'
import type { TargetDocument } from './target.model.ts'

/** Per command, so that commands of people wait for no more than these. */
const together = 200

/** Ends open targets of many boards, whatever they report later; each function returns how many. */
export function createTargetEndings(model: Model<TargetDocument>) {
  async function end(
    condition: QueryFilter<TargetDocument>,
    fields: Partial<TargetDocument>,
    most = Infinity
  ): Promise<number> {
    let ended = 0
    while (ended < most) {
      const found = await model.find(condition, { _id: 1 }).limit(together).lean<Pick<TargetDocument, '_id'>[]>()
      if (found.length === 0) break
      const these = { $and: [condition, { _id: { $in: found.map(({ _id }) => _id) } }] }
      const update = { $set: { ...fields, isOpen: false } }
      // Found by id, because an index of the condition would scan all remaining ones each time.
      ended += (await model.updateMany(these, update, { hint: { _id: 1 } })).modifiedCount
    }
    return ended
  }
  const skipped = (now: Date) => ({ phase: 'skipped', changedAt: now }) as const

  return {
    /** Skips about `most` waiting boards. */
    skipWaiting: (rolloutId: string, now: Date, most: number) =>
      end({ rolloutId, phase: 'waiting' }, skipped(now), most),
    /** Skips boards of these stages that have waited offline since then. */
    skipAway: (rolloutId: string, now: Date, { stages, since }: { stages: number[]; since: Date }) =>
      end(
        { rolloutId, phase: 'waiting', stage: { $in: stages }, wait: 'offline', changedAt: { $lt: since } },
        skipped(now)
      ),
    /** Skips these boards where they wait in these rollouts. */
    async skipWaitingOf(rolloutIds: readonly Types.ObjectId[], deviceIds: readonly string[], now: Date): Promise<void> {
      if ((await model.exists({ rolloutId: { $in: [...rolloutIds] }, phase: 'waiting' })) === null) return
      for (const batch of inBatches(deviceIds, together)) {
        await model.updateMany(
          { deviceId: { $in: batch }, isOpen: true, phase: 'waiting', rolloutId: { $in: [...rolloutIds] } },
          { $set: { ...skipped(now), isOpen: false } },
          { hint: { deviceId: 1, isOpen: 1 } }
        )
      }
    },
    /** Ends proving early, because another version follows at once. */
    endProving: (rolloutId: string, now: Date) =>
      end({ rolloutId, phase: 'proving' }, { phase: 'done', percent: 100, doneAt: now, changedAt: now }),
    /** Skips a board that has left its owner. */
    skipDevice: (deviceId: string, now: Date) => end({ deviceId, isOpen: true }, { ...skipped(now), wait: null })
  }
}
