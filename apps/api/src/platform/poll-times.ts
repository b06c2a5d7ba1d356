import { minuteMs } from '@batti/kit/durations'
import { z } from 'zod'
import type { Cluster } from './cluster/cluster.ts'

/** How long the loop stays awake after a start or a wake-up: longer than any of our leases. */
const awakeMs = 15_000
/** A plan made at the end of a minute may be stored just after it. */
const minuteBeginsMs = 3000
/** Others are woken again before they fall asleep. */
const notifyMs = 5000

/**
 * Decides when a loop polls the database: every second while awake, and at the beginning of each minute. A single
 * instance knows what it wrote. Instances that can message each other wake each other, and stay awake at the beginning of a
 * minute long enough to find work that another left behind. Without messages they poll every second. Uses the wall clock,
 * which may jump, and continues while the machine sleeps.
 */
export function createPollTimes({ name, isAlone, cluster, now }: PollTimesOptions) {
  const kind = `look-${name}`
  let [from, until] = [now(), now() + awakeMs]
  let minute = Math.floor(now() / minuteMs)
  let notifiedAt = Number.NEGATIVE_INFINITY

  function wakeHere(forMs: number): void {
    const at = now()
    // After the clock was set back, the earlier end is no longer valid.
    until = at < from ? at + forMs : Math.max(until, at + forMs)
    from = at
  }

  function notifyOthers(): void {
    if (!cluster.isUp() || Math.abs(now() - notifiedAt) < notifyMs) return
    notifiedAt = now()
    cluster.publish(kind, null)
  }

  cluster.on(kind, z.null(), () => wakeHere(awakeMs))
  cluster.onMissed(() => wakeHere(awakeMs))

  return {
    /** Call when work was added or failed: the next polls are needed. */
    wake(): void {
      wakeHere(awakeMs)
      notifyOthers()
    },
    isTime(): boolean {
      const at = now()
      if (Math.floor(at / minuteMs) !== minute) {
        minute = Math.floor(at / minuteMs)
        wakeHere(isAlone ? minuteBeginsMs : awakeMs)
      }
      return (!isAlone && !cluster.isUp()) || (at >= from && at < until)
    }
  }
}

export interface PollTimesOptions {
  /** The name of the loop, the same in every instance. */
  name: string
  /** Whether no other process uses the same database. */
  isAlone: boolean
  cluster: Pick<Cluster, 'isUp' | 'publish' | 'on' | 'onMissed'>
  now(): number
}
