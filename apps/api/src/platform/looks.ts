import { z } from 'zod'
import type { Cluster } from './cluster/cluster.ts'

/** After a start, and after anything that may want another look soon: longer than any lease of ours. */
const awakeMs = 15_000
/** A plan that was made in the last moment of a minute may be stored a moment after it. */
const minuteBeginsMs = 3000
/** Others are told again before they fall asleep. */
const notifyMs = 5000

/**
 * When a loop that could look at the database each second does so: while it is awake, and when a minute begins. One that is
 * alone knows what it wrote. Instances that can tell each other wake each other, and stay awake at the beginning of a minute
 * for as long as what one of them took may be left behind; those that cannot look each second. The loop asks by the wall
 * clock, which may jump, and which goes on while a machine sleeps.
 */
export function createLooks({ name, isAlone, cluster, now }: LooksOptions) {
  const kind = `look-${name}`
  let [from, until] = [now(), now() + awakeMs]
  let minute = Math.floor(now() / 60_000)
  let notifiedAt = Number.NEGATIVE_INFINITY

  function wakeHere(forMs: number): void {
    const at = now()
    // The end that was set before the clock went back is of a time that is no more.
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
    /** Something was begun, or could not be done: the next looks are wanted. */
    wake(): void {
      wakeHere(awakeMs)
      notifyOthers()
    },
    isTime(): boolean {
      const at = now()
      if (Math.floor(at / 60_000) !== minute) {
        minute = Math.floor(at / 60_000)
        wakeHere(isAlone ? minuteBeginsMs : awakeMs)
      }
      return (!isAlone && !cluster.isUp()) || (at >= from && at < until)
    }
  }
}

export interface LooksOptions {
  /** Of the loop, the same in every instance. */
  name: string
  /** No other process uses the same database. */
  isAlone: boolean
  cluster: Pick<Cluster, 'isUp' | 'publish' | 'on' | 'onMissed'>
  now(): number
}
