import { aheadOf } from '@batti/kit/clock'
import { hourMs } from '@batti/kit/durations'
import type { Logger } from 'pino'
import { clocksApartMs } from '../../../platform/clocks-apart.ts'
import { createPollLoop } from '../../../platform/poll-loop.ts'
import type { PollTimesOptions } from '../../../platform/poll-times.ts'
import type { Engine } from './engine.ts'
import { createWallClockFollower, type FollowedClock } from './follow-wall-clock.ts'
import type { LockedBoards } from './locked-boards.ts'
import type { RolloutDocument } from '../rollout.model.ts'
import type { RolloutsRepository } from '../rollouts.repository.ts'
import type { TargetsRepository } from '../targets/targets.repository.ts'

interface RunnerOptions {
  rollouts: RolloutsRepository
  targets: TargetsRepository
  locked: Pick<LockedBoards, 'load'>
  engine(): Engine
  log: Logger
  now(): number
  monotonic(): number
  /** The name of this process among the api instances. */
  instance: string
  /** Whether no other instance creates or drives rollouts. */
  isAlone: boolean
  /** The other instances. */
  cluster: PollTimesOptions['cluster']
  newId(): string
}

/** A rollout that this instance drives. */
interface Driven extends FollowedClock {
  /** Whether its jobs have been sent again, as its former instance may not have sent them. */
  hasRepeated: boolean
}

/** The newest lease of a rollout that was seen, and when it was first seen, by the wall clock and by the monotonic one. */
interface SeenLease {
  until: Date
  at: number
  since: number
}

const lookMs = 1000
/** A rollout is taken over this long after its instance was last active. */
const leaseMs = 9000
/** A lease that is longer by this was given by a clock that was ahead. The clocks of instances differ by less. */
const farAheadMs = hourMs

/**
 * Drives rollouts, each by one instance at a time: it holds a lease, and another takes over when the lease has expired.
 * The database decides what is sent, so that even a slow instance with a lost lease never sends a job of its own.
 */
export function createRunner(options: RunnerOptions) {
  const { rollouts, targets, locked, log, now, instance } = options
  const loop = createPollLoop({
    ...options,
    name: 'rollouts',
    pass: lookAtAll,
    failed: (error) => log.error({ err: error }, 'rollouts could not be processed'),
    waitMs: () => lookMs
  })
  const followWallClock = createWallClockFollower(options)
  const mine = new Map<string, Driven>()
  const seen = new Map<string, SeenLease>()
  /** Until the first pass has looked, a board that comes online may be waited for. */
  let hasActive = true

  async function lookAtAll(): Promise<void> {
    const active = new Map((await rollouts.findActive()).map(({ _id, leaseUntil }) => [String(_id), leaseUntil]))
    hasActive = active.size > 0
    if (hasActive) loop.wake()
    for (const known of [mine, seen]) for (const id of known.keys()) if (!active.has(id)) known.delete(id)
    for (const [id, until] of active) noteLease(id, until)
    await locked.load(async () => (hasActive ? targets.lockedIds() : []))
    for (const id of active.keys()) {
      if (loop.isStopped()) return
      await look(id)
    }
  }

  function noteLease(id: string, until: Date): void {
    if (seen.get(id)?.until.getTime() !== until.getTime())
      seen.set(id, { until, at: now(), since: options.monotonic() })
  }

  /** Returns the end of a lease that its instance would have renewed by now, whatever its clock says. */
  function findUnrenewed(id: string): Date | null {
    const lease = seen.get(id)
    return lease !== undefined && options.monotonic() - lease.since >= leaseMs ? lease.until : null
  }

  async function look(id: string): Promise<void> {
    try {
      const at = now()
      const before = await rollouts.lease(id, instance, {
        now: at,
        until: at + leaseMs,
        longest: at + leaseMs + farAheadMs,
        unrenewed: findUnrenewed(id)
      })
      if (before === null) {
        mine.delete(id)
        return
      }
      // An instance whose own expired lease nobody took still knows what it has sent.
      const known = before.leaseBy === instance ? mine.get(id) : undefined
      const driven = known ?? { hasRepeated: false, aheadMs: aheadOf(options) - setSince(before), storing: null }
      mine.set(id, driven)
      const leased = await followWallClock(before, driven)
      if (!driven.hasRepeated) await options.engine().repeatSent(leased)
      driven.hasRepeated = true
      await options.engine().drive(leased)
    } catch (error) {
      log.error({ err: error, rollout: id }, 'a rollout could not be processed')
    }
  }

  /**
   * Returns by how much this clock differs from that of the instance that drove it before. Only one that was ahead can be told: a
   * lease may be seen long after it was given.
   */
  function setSince({ _id, leaseUntil }: RolloutDocument): number {
    const lease = seen.get(String(_id))
    const seenAt = lease?.until.getTime() === leaseUntil.getTime() ? lease.at : now()
    const setBy = seenAt + leaseMs - leaseUntil.getTime()
    return setBy < -clocksApartMs ? setBy : 0
  }

  return {
    tick: loop.tick,
    hasActive: () => hasActive,
    /** Call when a rollout was created here, so that it does not wait for the next pass. */
    noteActive(): void {
      hasActive = true
      loop.wake()
    },
    start: loop.start,
    async stop(): Promise<void> {
      await loop.stop()
      await rollouts.release(instance, new Date(now()))
    }
  }
}
export type Runner = ReturnType<typeof createRunner>
