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

interface Untold {
  rollout: NotifiedRollout
  /** The state or stage has changed, which screens must ask for: only a notice without a board says so. */
  hasChanged: boolean
  targets: Map<string, TargetDocument>
}

/** Notifies staff of the progress of rollouts, with the counts of each. */
export function createStaffNotices({ rollouts, targets, log, notifyStaff }: StaffNoticesOptions) {
  const dirty = new Map<string, Untold>()
  let isStopped = false
  let flushTimer: NodeJS.Timeout | undefined

  /** Without a target, the state or stage has changed, or the rollout is new. */
  function notify(rollout: NotifiedRollout, target?: TargetDocument): void {
    if (rollout.isSingle) return
    const id = String(rollout._id)
    const entry = dirty.get(id) ?? { rollout, hasChanged: false, targets: new Map<string, TargetDocument>() }
    if (target === undefined) entry.hasChanged = true
    else entry.targets.set(String(target._id), target)
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
      for (const [id, { hasChanged, targets: changed }] of untold) {
        const [only, ...others] = changed.values()
        notifyStaff({
          id,
          counts: counts.get(id) ?? {},
          ...(hasChanged || only === undefined || others.length > 0
            ? {}
            : { target: { ...presentTarget(only), changedAt: only.changedAt.getTime() } })
        })
      }
    } catch (error) {
      log.warn({ err: error }, 'the progress of rollouts could not be sent')
      for (const [id, earlier] of untold) {
        const later = dirty.get(id)
        dirty.set(id, {
          ...earlier,
          hasChanged: earlier.hasChanged || later?.hasChanged === true,
          targets: new Map([...earlier.targets, ...(later?.targets ?? [])])
        })
      }
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
