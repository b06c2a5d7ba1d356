import type { Migration } from '../platform/store/schema.ts'

/** Closes boards that a finished rollout left open, because they could not be updated again. */
export const boardsLeftOpen: Migration = {
  name: '0003-boards-left-open',
  async run(database, now) {
    const targets = database.collection('rolloutTargets')
    const inRollouts = await targets.distinct('rolloutId', { isOpen: true })
    const ended = await database.collection('rollouts').distinct('_id', { _id: { $in: inRollouts }, isActive: false })
    await targets.updateMany(
      { rolloutId: { $in: ended }, isOpen: true },
      { $set: { phase: 'skipped', isOpen: false, wait: null, changedAt: now } }
    )
  }
}
