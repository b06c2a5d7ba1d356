import { aheadOf } from '@batti/kit/clock'
import { hourMs } from '@batti/kit/durations'
import type { Logger } from 'pino'
import { createPollTimes, type PollTimesOptions } from '../../../platform/poll-times.ts'
import type { Engine } from './engine.ts'
import type { RolloutDocument } from '../rollout.model.ts'
import type { RolloutsRepository } from '../rollouts.repository.ts'
import type { ClockSet } from '../targets/moved-by.ts'
import type { TargetsRepository } from '../targets/targets.repository.ts'

export interface RunnerOptions {
  rollouts: RolloutsRepository
  targets: TargetsRepository
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
interface Driven {
  /** Whether its jobs have been sent again, as its former instance may not have sent them. */
  hasRepeated: boolean
  /** How far the wall clock was ahead of the monotonic one when the stored times were right. */
  aheadMs: number
  /** A setting of the clock that is being stored. If no answer came, the rollout itself tells whether it was. */
  storing: ClockSet | null
}

const lookMs = 1000
/** A rollout is taken over this long after its instance was last active. */
const leaseMs = 9000
/** A lease that is longer by this was given by a clock that was ahead. The clocks of instances differ by less. */
const farAheadMs = hourMs
/** A clock that is set by less than this changes no duration that matters. */
const setMs = 10_000

/**
 * Drives rollouts, each by one instance at a time: it holds a lease, and another takes over when the lease has expired.
 * The database decides what is sent, so that even a slow instance with a lost lease never sends a job of its own.
 */
export function createRunner(options: RunnerOptions) {
  const { rollouts, targets, log, now, instance } = options
  const pollTimes = createPollTimes({ ...options, name: 'rollouts' })
  const mine = new Map<string, Driven>()
  const locked = new Set<string>()
  /** What was locked and unlocked while the stored list was read, which may be older. */
  const lockedMeanwhile = new Map<string, boolean>()
  let hasActive = false
  let isStopped = false
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()

  async function lookAtAll(): Promise<void> {
    const ids = await rollouts.findActiveIds()
    hasActive = ids.length > 0
    if (hasActive) pollTimes.wake()
    for (const id of mine.keys()) if (!ids.includes(id)) mine.delete(id)
    await readLocked()
    for (const id of ids) {
      if (isStopped) return
      await look(id)
    }
  }

  async function readLocked(): Promise<void> {
    lockedMeanwhile.clear()
    const stored = hasActive ? await targets.lockedIds() : []
    locked.clear()
    for (const id of stored) locked.add(id)
    for (const [id, isIt] of lockedMeanwhile) lock(id, isIt)
  }

  function lock(deviceId: string, isIt: boolean): void {
    lockedMeanwhile.set(deviceId, isIt)
    if (isIt) locked.add(deviceId)
    else locked.delete(deviceId)
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

  /**
   * When the wall clock was set, the times of the rollout are moved along, so that holds and deadlines last as long as before.
   * A move that was interrupted is completed first.
   */
  async function followWallClock(rollout: RolloutDocument, driven: Driven): Promise<RolloutDocument> {
    const id = String(rollout._id)
    const { clockSet } = rollout
    if (clockSet !== undefined && clockSet.id === driven.storing?.id) driven.aheadMs += clockSet.ms
    driven.storing = null
    const current = clockSet === undefined ? rollout : await moveBoards(rollout, clockSet)
    const ms = aheadOf(options) - driven.aheadMs
    if (Math.abs(ms) <= setMs) {
      driven.aheadMs += ms
      return current
    }
    log.warn({ rollout: id, setByMs: Math.round(ms) }, 'the clock was set: the times of a rollout are moved along')
    const set = { id: options.newId(), ms, now: new Date(now()) }
    // Until it is stored, the next pass finds the clock set by as much.
    driven.storing = set
    await rollouts.moveTimes(id, set)
    driven.aheadMs += ms
    driven.storing = null
    return moveBoards(current, set)
  }

  /** Moves the times of the boards, after those of the rollout itself. */
  async function moveBoards(rollout: RolloutDocument, set: ClockSet): Promise<RolloutDocument> {
    const id = String(rollout._id)
    await targets.moveTimes(id, set)
    return (await rollouts.timesMoved(id)) ?? rollout
  }

  /** Returns by how much the clock was set since another instance drove it: the lease tells only of a clock that was far ahead. */
  function setSince({ leaseUntil }: RolloutDocument): number {
    const setBy = now() + leaseMs - leaseUntil.getTime()
    return setBy < -farAheadMs ? setBy : 0
  }

  /** Runs one pass over all rollouts; never two at a time. */
  function tick(): Promise<void> {
    running = running.then(lookAtAll).catch((error: unknown) => {
      pollTimes.wake()
      log.error({ err: error }, 'rollouts could not be processed')
    })
    return running
  }

  return {
    tick,
    hasActive: () => hasActive,
    /** Call when a rollout was created here, so that it does not wait for the next pass. */
    noteActive(): void {
      hasActive = true
      pollTimes.wake()
    },
    /** Boards between two versions, as known here. */
    isLocked: (deviceId: string) => locked.has(deviceId),
    lock,
    start(): void {
      isStopped = false
      const wait = (): void => {
        timer = setTimeout(
          () => void (pollTimes.isTime() ? tick() : running).finally(() => (isStopped ? undefined : wait())),
          lookMs
        )
      }
      wait()
    },
    async stop(): Promise<void> {
      isStopped = true
      clearTimeout(timer)
      await running
      await rollouts.release(instance, new Date(now()))
    }
  }
}
export type Runner = ReturnType<typeof createRunner>
