import type { RolloutDocument } from '../rollout.model.ts'
import type { RolloutsOptions } from '../rollouts.options.ts'

/** Without those in the rollout `except`. */
type FindBusy = (deviceIds: readonly string[], except?: RolloutDocument) => Promise<Set<string>>

/**
 * Finds boards in an unfinished rollout. Boards that wait in a cancelled one are free at once: they are skipped here if
 * the engine has not reached them yet.
 */
export const createFindBusy =
  ({ rollouts, targets, plans, now }: Pick<RolloutsOptions, 'rollouts' | 'targets' | 'plans' | 'now'>): FindBusy =>
  async (deviceIds, except) => {
    await plans.dropInterrupted()
    const cancelled = await rollouts.findCancelled()
    await targets.skipWaitingOf(cancelled, deviceIds, new Date(now()))
    return targets.findBusy(deviceIds, except?._id)
  }
