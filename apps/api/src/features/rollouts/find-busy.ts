import type { RolloutsOptions } from './rollouts.options.ts'

type FindBusy = (deviceIds: readonly string[]) => Promise<Set<string>>

/**
 * Finds boards that are in an unfinished rollout. Those that wait in a cancelled one are free at once: they are skipped
 * here, where the engine has not come to them yet.
 */
export const createFindBusy =
  ({ rollouts, targets, now }: Pick<RolloutsOptions, 'rollouts' | 'targets' | 'now'>): FindBusy =>
  async (deviceIds) => {
    const cancelled = await rollouts.findCancelled()
    await targets.skipWaitingOf(cancelled, deviceIds, new Date(now()))
    return targets.findBusy(deviceIds)
  }
