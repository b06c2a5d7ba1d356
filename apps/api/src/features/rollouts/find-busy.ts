import type { RolloutsOptions } from './rollouts.options.ts'

type FindBusy = (deviceIds: readonly string[]) => Promise<Set<string>>

/**
 * Finds boards in an unfinished rollout. Boards that wait in a cancelled one are free at once: they are skipped here if
 * the engine has not reached them yet.
 */
export const createFindBusy =
  ({ rollouts, targets, plans, now }: Pick<RolloutsOptions, 'rollouts' | 'targets' | 'plans' | 'now'>): FindBusy =>
  async (deviceIds) => {
    await plans.dropInterrupted()
    const cancelled = await rollouts.findCancelled()
    await targets.skipWaitingOf(cancelled, deviceIds, new Date(now()))
    return targets.findBusy(deviceIds)
  }
