import { aheadOf } from '@batti/kit/clock'
import { hourMs } from '@batti/kit/durations'
import type { Logger } from 'pino'
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
  /** Until the first pass has looked, a board that comes online may be waited for. */
  let hasActive = true

  async function lookAtAll(): Promise<void> {
    const ids = await rollouts.findActiveIds()
    hasActive = ids.length > 0
    if (hasActive) loop.wake()
    for (const id of mine.keys()) if (!ids.includes(id)) mine.delete(id)
    await locked.load(async () => (hasActive ? targets.lockedIds() : []))
    for (const id of ids) {
      if (loop.isStopped()) return
      await look(id)
    }
  }

  async function look(id: string): Promise<void> {
    try {
      const at = now()
      const before = await rollouts.lease(id, instance, {
        now: at,
        until: at + leaseMs,
        longest: at + leaseMs + farAheadMs
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

  /** Returns by how much the clock was set since another instance drove it: the lease tells only of a clock that was far ahead. */
  function setSince({ leaseUntil }: RolloutDocument): number {
    const setBy = now() + leaseMs - leaseUntil.getTime()
    return setBy < -farAheadMs ? setBy : 0
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
