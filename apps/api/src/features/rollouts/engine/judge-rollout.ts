import type { PauseReason, StageEnd } from '@batti/contracts'
import { hourMs, minuteMs } from '@batti/kit/durations'
import type { VersionRecord } from './watch-boards.ts'

/** The state of the boards of one stage. */
export interface StageFacts {
  /** Including boards that left the stage or never came back. */
  total: number
  done: number
  /** Boards that are present and in progress or in their proving time. */
  busy: number
  /** Boards that wait and are online, as far as known. */
  waitingOnline: number
  /** Boards that wait while offline, or went silent while in progress. */
  away: number
  /** When the last of its boards was proved, in milliseconds; 0 for none. */
  lastDoneAt: number
}

export type StageVerdict =
  | { kind: 'wait' }
  /** Go to the next stage, after the hold. */
  | { kind: 'next' }
  /** A person must approve the next stage. */
  | { kind: 'ask' }
  /** Every board of every stage has ended. */
  | { kind: 'end' }

/**
 * Judges the current stage. An empty one is passed without a hold. One whose boards all left, or never came back, has
 * proved nothing, so a person is asked.
 */
export function judgeStage(
  stage: { holdMinutes: number; then: StageEnd },
  facts: StageFacts,
  context: { isLast: boolean; openInAll: number; follow: boolean; now: number }
): StageVerdict {
  if (context.isLast) return context.openInAll === 0 && !context.follow ? { kind: 'end' } : { kind: 'wait' }
  if (facts.total === 0) return { kind: 'next' }
  if (facts.busy + facts.waitingOnline > 0) return { kind: 'wait' }
  if (facts.done === 0) return facts.away === 0 ? { kind: 'ask' } : { kind: 'wait' }
  if (context.now < facts.lastDoneAt + stage.holdMinutes * minuteMs) return { kind: 'wait' }
  return { kind: stage.then === 'ask' ? 'ask' : 'next' }
}

/** Counts since the rollout was last resumed. */
export interface Tally {
  tried: number
  failed: number
  silent: number
}

export interface Pause {
  by: Exclude<PauseReason, 'staff'>
  tried: number
  failed: number
  limit: number
}

const fewest = 2
const silentPercent = 10

/** Returns why a rollout should pause itself; null if it should not. Failures come first, because they say the most. */
export function judgePause(tally: Tally, maxFailurePercent: number): Pause | null {
  const { tried, failed, silent } = tally
  const isAbove = (count: number, percent: number): boolean => count >= fewest && count * 100 > percent * tried
  if (isAbove(failed, maxFailurePercent)) return { by: 'failures', tried, failed, limit: maxFailurePercent }
  if (isAbove(silent, silentPercent)) return { by: 'silence', tried, failed: silent, limit: silentPercent }
  return null
}

export const comparedBoards = 20
export const comparedAfterMs = 10 * hourMs
/** Rates below this per board-hour (one in twenty hours) are chance, and are not compared. */
const rateFloor = 0.05
const boardHoursCompared = comparedBoards * 10

/** Returns which count more than doubled per board-hour with the new version; null if none, or if there is too little data. */
export function findRegression(
  before: VersionRecord,
  after: VersionRecord
): 'failed' | 'reconnects' | 'restarts' | null {
  if (before.boardHours < boardHoursCompared || after.boardHours < boardHoursCompared) return null
  for (const count of ['failed', 'reconnects', 'restarts'] as const) {
    const usual = Math.max(before[count] / before.boardHours, rateFloor)
    if (after[count] / after.boardHours > 2 * usual) return count
  }
  return null
}
