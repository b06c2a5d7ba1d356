import type { Model } from 'mongoose'
import type { TargetDocument } from './target.model.ts'

/** Ends what is open of many boards at once, whatever they say later. */
export function createTargetEndings(model: Model<TargetDocument>) {
  return {
    /** All that wait; or, of these stages, those that have waited for their board since then. */
    skipWaiting: (rolloutId: string, now: Date, away?: { stages: number[]; since: Date }) =>
      model.updateMany(
        {
          rolloutId,
          phase: 'waiting',
          ...(away === undefined
            ? {}
            : { stage: { $in: away.stages }, wait: 'offline', changedAt: { $lt: away.since } })
        },
        { $set: { phase: 'skipped', isOpen: false, changedAt: now } }
      ),
    /** Another version follows at once: whether this one would have lasted is not waited for. */
    endProving: (rolloutId: string, now: Date) =>
      model.updateMany(
        { rolloutId, phase: 'proving' },
        { $set: { phase: 'done', percent: 100, isOpen: false, doneAt: now, changedAt: now } }
      ),
    /** The board is not its owner's any more. */
    skipDevice: (deviceId: string, now: Date) =>
      model.updateMany(
        { deviceId, isOpen: true },
        { $set: { phase: 'skipped', isOpen: false, changedAt: now, wait: null } }
      )
  }
}
