import type { Model, QueryFilter, Types } from 'mongoose'
import { inBatches } from '../../platform/store/in-batches.ts'
import type { TargetDocument } from './target.model.ts'

/** In one command: whoever taps a switch meanwhile waits for no more than these. */
const together = 200

/** Ends what is open of many boards, whatever they say later; each answers how many there were. */
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
      // By these ids alone: an index of the condition leads through all that are left, each time.
      ended += (await model.updateMany(these, update, { hint: { _id: 1 } })).modifiedCount
    }
    return ended
  }
  const skipped = (now: Date) => ({ phase: 'skipped', changedAt: now }) as const

  return {
    /** So many of those that wait, or a few more. */
    skipWaiting: (rolloutId: string, now: Date, most: number) =>
      end({ rolloutId, phase: 'waiting' }, skipped(now), most),
    /** Of these stages, those that have waited for their board since then. */
    skipAway: (rolloutId: string, now: Date, { stages, since }: { stages: number[]; since: Date }) =>
      end(
        { rolloutId, phase: 'waiting', stage: { $in: stages }, wait: 'offline', changedAt: { $lt: since } },
        skipped(now)
      ),
    /** These boards, where they wait in these rollouts. */
    async skipWaitingOf(rolloutIds: readonly Types.ObjectId[], deviceIds: readonly string[], now: Date): Promise<void> {
      const waited: unknown[] = await model.distinct('rolloutId', {
        rolloutId: { $in: [...rolloutIds] },
        phase: 'waiting'
      })
      if (waited.length === 0) return
      for (const batch of inBatches(deviceIds, together)) {
        await model.updateMany(
          { deviceId: { $in: batch }, isOpen: true, phase: 'waiting', rolloutId: { $in: [...rolloutIds] } },
          { $set: { ...skipped(now), isOpen: false } },
          { hint: { deviceId: 1, isOpen: 1 } }
        )
      }
    },
    /** Another version follows at once: whether this one would have lasted is not waited for. */
    endProving: (rolloutId: string, now: Date) =>
      end({ rolloutId, phase: 'proving' }, { phase: 'done', percent: 100, doneAt: now, changedAt: now }),
    /** The board is not its owner's any more. */
    skipDevice: (deviceId: string, now: Date) => end({ deviceId, isOpen: true }, { ...skipped(now), wait: null })
  }
}
