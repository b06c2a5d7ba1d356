import type { RolloutProgressEvent } from '@batti/contracts'
import type { Logger } from 'pino'
import type { NotifiedRollout } from '../rollout.model.ts'
import { presentTarget } from '../rollouts.present.ts'
import type { RolloutsRepository } from '../rollouts.repository.ts'
import { countsOfCancelled } from '../targets/target-counts.ts'
import type { TargetDocument } from '../targets/target.model.ts'
import type { TargetsRepository } from '../targets/targets.repository.ts'

export interface StaffNoticesOptions {
  rollouts: Pick<RolloutsRepository, 'findCancelled'>
  targets: Pick<TargetsRepository, 'counts'>
  log: Pick<Logger, 'warn'>
  notifyStaff(event: RolloutProgressEvent): void
}

/** At most four notifications a second per rollout. */
const notifyMs = 250

/** Notifies staff of the progress of rollouts, with the counts of each. */
export function createStaffNotices({ rollouts, targets, log, notifyStaff }: StaffNoticesOptions) {
  const dirty = new Map<string, { rollout: NotifiedRollout; targets: Map<string, TargetDocument> }>()
  let isStopped = false
  let flushTimer: NodeJS.Timeout | undefined

  /** Without a target, the state or stage has changed. */
  function notify(rollout: NotifiedRollout, target?: TargetDocument): void {
    if (rollout.isSingle) return
    const id = String(rollout._id)
    const entry = dirty.get(id) ?? { rollout, targets: new Map<string, TargetDocument>() }
    if (target !== undefined) entry.targets.set(String(target._id), target)
    dirty.set(id, entry)
    flushTimer ??= setTimeout(() => void flush(), notifyMs)
  }

  async function flush(): Promise<void> {
    const untold = [...dirty]
    dirty.clear()
    try {
      const counts = await targets.counts(untold.map(([id]) => id))
      for (const id of await rollouts.findCancelled())
        counts.set(String(id), countsOfCancelled(counts.get(String(id)) ?? {}))
      for (const [id, { targets: changed }] of untold) {
        const [only, ...others] = changed.values()
        notifyStaff({
          id,
          counts: counts.get(id) ?? {},
          ...(only === undefined || others.length > 0
            ? {}
            : { target: { ...presentTarget(only), changedAt: only.changedAt.getTime() } })
        })
      }
    } catch (error) {
      log.warn({ err: error }, 'the progress of rollouts could not be sent')
      for (const [id, { rollout, targets: earlier }] of untold)
        dirty.set(id, { rollout, targets: new Map([...earlier, ...(dirty.get(id)?.targets ?? [])]) })
    } finally {
      flushTimer = dirty.size > 0 && !isStopped ? setTimeout(() => void flush(), notifyMs) : undefined
    }
  }

  return {
    notify,
    stop(): void {
      isStopped = true
      clearTimeout(flushTimer)
    }
  }
}
export type StaffNotices = ReturnType<typeof createStaffNotices>
