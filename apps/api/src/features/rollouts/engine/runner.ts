import { aheadOf } from '@batti/kit/clock'
import { hourMs } from '@batti/kit/durations'
import type { Logger } from 'pino'
import { createPollTimes, type PollTimesOptions } from '../../../platform/poll-times.ts'
import type { Engine } from './engine.ts'
import type { RolloutDocument } from '../rollout.model.ts'
import type { RolloutsRepository } from '../rollouts.repository.ts'
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
  /** How far the wall clock was ahead of the monotonic one at the last pass of each rollout that this instance drives. */
  const mine = new Map<string, number>()
  let locked: ReadonlySet<string> = new Set()
  let hasActive = false
  let isStopped = false
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()

  async function lookAtAll(): Promise<void> {
    const ids = await rollouts.findActiveIds()
    hasActive = ids.length > 0
    if (hasActive) pollTimes.wake()
    for (const id of mine.keys()) if (!ids.includes(id)) mine.delete(id)
    locked = hasActive ? new Set(await targets.lockedIds()) : new Set()
    for (const id of ids) {
      if (isStopped) return
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
      const isNewOwner = before.leaseBy !== instance || !mine.has(id)
      const leased = await followWallClock(before, isNewOwner)
      await options.engine().drive(leased, isNewOwner)
    } catch (error) {
      log.error({ err: error, rollout: id }, 'a rollout could not be processed')
    }
  }

  /**
   * When the wall clock was set, the times of the rollout are moved along, so that holds and deadlines last as long as before.
   * If another instance has driven it until now, its lease tells whether the clock was far ahead. A move that was interrupted is
   * completed first.
   */
  async function followWallClock(rollout: RolloutDocument, isNewOwner: boolean): Promise<RolloutDocument> {
    const id = String(rollout._id)
    const ahead = aheadOf(options)
    const setBy = clockSetBy(rollout, isNewOwner)
    const set = rollout.clockSet ?? (setBy === 0 ? null : { id: options.newId(), ms: setBy, now: new Date(now()) })
    if (set === null) {
      mine.set(id, ahead)
      return rollout
    }
    log.warn({ rollout: id, setByMs: Math.round(set.ms) }, 'the clock was set: the times of a rollout are moved along')
    if (rollout.clockSet === undefined) await rollouts.moveTimes(id, set)
    // Not before: if that fails, the next pass begins it.
    mine.set(id, ahead)
    await targets.moveTimes(id, set)
    return (await rollouts.timesMoved(id)) ?? rollout
  }

  /** Returns by how much the clock was set since the last pass; 0 if not, or by too little to matter. */
  function clockSetBy(rollout: RolloutDocument, isNewOwner: boolean): number {
    const before = isNewOwner ? undefined : mine.get(String(rollout._id))
    const setBy = before === undefined ? now() - rollout.leaseUntil.getTime() + leaseMs : aheadOf(options) - before
    const isSet = before === undefined ? setBy < -farAheadMs : Math.abs(setBy) > setMs
    return isSet ? setBy : 0
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
    /** Boards between two versions, as of the last pass. */
    isLocked: (deviceId: string) => locked.has(deviceId),
    lock(deviceId: string, isIt: boolean): void {
      if (locked.has(deviceId) === isIt) return
      const next = new Set(locked)
      if (isIt) next.add(deviceId)
      else next.delete(deviceId)
      locked = next
    },
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
