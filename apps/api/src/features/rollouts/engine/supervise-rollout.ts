import { dayMs, minuteMs } from '@batti/kit/durations'
import type { Logger } from 'pino'
import type { BoardsRepository } from '../boards.repository.ts'
import { comparedAfterMs, comparedBoards, findRegression, judgePause, type Pause } from './judge-rollout.ts'
import { silentMs } from './look-at-boards.ts'
import { createDueCheck } from './due-check.ts'
import type { RolloutDocument } from '../rollout.model.ts'
import type { RolloutsRepository } from '../rollouts.repository.ts'
import { mustBeOnline } from './send-more.ts'
import type { TargetsRepository } from '../targets/targets.repository.ts'
import { addWatched, nothingWatched, type BoardWatch } from './watch-boards.ts'

export interface RolloutSupervisorOptions {
  rollouts: Pick<RolloutsRepository, 'change'>
  targets: TargetsRepository
  boards: Pick<BoardsRepository, 'countGone' | 'countOnline'>
  watch: BoardWatch
  log: Logger
  now(): number
  monotonic(): number
  /** Whether the image of a rollout may still be sent. */
  isSendable(rollout: RolloutDocument): Promise<boolean>
  /** Adds boards that the filter matches now to the last stage. */
  addLateBoards(rollout: RolloutDocument): Promise<void>
}

/** Boards that finished this long ago go silent for other reasons. */
const silentAfterMs = dayMs
const silenceLookMs = 10_000
/** The interval grows with the number of boards, because each pass reads all boards of the filter. */
const followLookMs = 10_000
const followLookMsABoard = 3
const watchLookMs = minuteMs

/** What a rollout does by itself besides sending: it pauses when something is wrong, and adds boards that come later. */
export function createRolloutSupervisor(options: RolloutSupervisorOptions) {
  const { rollouts, targets, boards, watch, log, now } = options
  const isTimeFor = createDueCheck(options.monotonic)

  async function pause(rollout: RolloutDocument, why: Omit<Pause, 'by'> & { by: Pause['by'] | 'staff' }) {
    log.warn({ rollout: String(rollout._id), ...why }, 'a rollout has paused itself')
    const paused = await rollouts.change(String(rollout._id), ['running'], {
      $set: { state: 'paused', paused: { ...why, at: new Date(now()) } }
    })
    return paused ?? rollout
  }

  async function findPause(rollout: RolloutDocument): Promise<Pause | null> {
    const id = String(rollout._id)
    const { tried, failed } = await targets.tally(id, rollout.countedFrom)
    let silent = 0
    if (mustBeOnline(rollout) && isTimeFor('silence', rollout, silenceLookMs)) {
      const unchangedSince = new Date(now() - silentMs)
      // A board that has just changed its phase may be restarting. Its own time does not follow a clock that is set.
      const sent = await targets.sentSince(id, {
        from: rollout.countedFrom,
        doneAfter: new Date(now() - silentAfterMs),
        unchangedSince
      })
      silent = await boards.countGone(sent, { since: unchangedSince, now: now() })
    }
    return judgePause({ tried, failed, silent }, rollout.maxFailurePercent)
  }

  /**
   * Compares both versions, because waiting boards still run the previous one. Starts again after each resume: boards
   * that were in progress during the pause have restarted for their update, which says nothing about the version.
   */
  async function compare(rollout: RolloutDocument): Promise<Pause | null> {
    const id = String(rollout._id)
    const { counts, hours } = watch.take(id)
    if (rollout.countedFrom > rollout.watched.at) {
      const anew = { before: nothingWatched, after: nothingWatched, at: new Date(now()) }
      await rollouts.change(id, ['running'], { $set: { watched: anew } })
      return null
    }
    const [before, after] = await Promise.all([targets.waitingIds(id), targets.doneIds(id)])
    const [onlineBefore, onlineAfter] = await Promise.all([boards.countOnline(before), boards.countOnline(after)])
    const watched = {
      before: addWatched(rollout.watched.before, { ids: before, online: onlineBefore, hours }, counts),
      after: addWatched(rollout.watched.after, { ids: after, online: onlineAfter, hours }, counts),
      at: new Date(now())
    }
    await rollouts.change(id, ['running'], { $set: { watched } })
    const proven = await targets.doneIds(id, new Date(now() - comparedAfterMs))
    if (proven.length < comparedBoards) return null
    const worse = findRegression(watched.before, watched.after)
    if (worse === null) return null
    return { by: 'regression', tried: after.length, failed: watched.after[worse], limit: 100 }
  }

  async function pauseWithdrawn(rollout: RolloutDocument): Promise<RolloutDocument> {
    const tally = await targets.tally(String(rollout._id), rollout.countedFrom)
    return pause(rollout, { by: 'staff', ...tally, limit: rollout.maxFailurePercent })
  }

  async function superviseRollout(rollout: RolloutDocument): Promise<RolloutDocument> {
    if (rollout.state !== 'running' || rollout.isSingle) return rollout
    const found = await findPause(rollout)
    if (found !== null) return pause(rollout, found)
    if (rollout.kind === 'settings') return rollout
    // If all remaining boards are in their proving time, the state of the image no longer matters.
    if (!(await options.isSendable(rollout)) && (rollout.follow || (await targets.hasToSend(rollout))))
      return pauseWithdrawn(rollout)
    if (isTimeFor('watch', rollout, watchLookMs)) {
      const worse = await compare(rollout)
      if (worse !== null) return pause(rollout, worse)
    }
    const everyMs = Math.max(followLookMs, rollout.total * followLookMsABoard)
    if (rollout.follow && isTimeFor('follow', rollout, everyMs)) await options.addLateBoards(rollout)
    return rollout
  }

  return { superviseRollout, pauseWithdrawn }
}
