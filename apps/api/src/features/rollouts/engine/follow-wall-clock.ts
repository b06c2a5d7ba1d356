import { aheadOf, type Clock } from '@batti/kit/clock'
import type { Logger } from 'pino'
import type { RolloutDocument } from '../rollout.model.ts'
import type { RolloutsRepository } from '../rollouts.repository.ts'
import type { ClockSet } from '../targets/moved-by.ts'
import type { TargetsRepository } from '../targets/targets.repository.ts'

/** What the stored times of a rollout go by. */
export interface FollowedClock {
  /** How far the wall clock was ahead of the monotonic one when the stored times were right. */
  aheadMs: number
  /** A setting of the clock that is being stored. If no answer came, the rollout itself tells whether it was. */
  storing: ClockSet | null
}

/** A clock that is set by less than this changes no duration that matters. */
const setMs = 10_000

/**
 * When the wall clock was set, moves the times of the rollout along, so that holds and deadlines last as long as before.
 * A move that was interrupted is completed first.
 */
export function createWallClockFollower(
  options: Clock & {
    rollouts: Pick<RolloutsRepository, 'moveTimes' | 'timesMoved'>
    targets: Pick<TargetsRepository, 'moveTimes'>
    log: Logger
    newId(): string
  }
) {
  const { rollouts, targets, log } = options

  /** Moves the times of the boards, after those of the rollout itself. */
  async function moveBoards(rollout: RolloutDocument, set: ClockSet): Promise<RolloutDocument> {
    const id = String(rollout._id)
    await targets.moveTimes(id, set)
    return (await rollouts.timesMoved(id)) ?? rollout
  }

  return async function followWallClock(rollout: RolloutDocument, followed: FollowedClock): Promise<RolloutDocument> {
    const id = String(rollout._id)
    const { clockSet } = rollout
    if (clockSet !== undefined && clockSet.id === followed.storing?.id) followed.aheadMs += clockSet.ms
    followed.storing = null
    const current = clockSet === undefined ? rollout : await moveBoards(rollout, clockSet)
    const ms = aheadOf(options) - followed.aheadMs
    if (Math.abs(ms) <= setMs) {
      followed.aheadMs += ms
      return current
    }
    log.warn({ rollout: id, setByMs: Math.round(ms) }, 'the clock was set: the times of a rollout are moved along')
    const set = { id: options.newId(), ms, now: new Date(options.now()) }
    // Until it is stored, the next pass finds the clock set by as much.
    followed.storing = set
    await rollouts.moveTimes(id, set)
    followed.aheadMs += ms
    followed.storing = null
    return moveBoards(current, set)
  }
}
