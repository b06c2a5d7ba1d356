import type { PauseReason, StageEnd } from '@batti/contracts'
import type { VersionRecord } from './watch-boards.ts'

/** What is known of the boards of one stage. */
export interface StageFacts {
  /** Also those that left it, or never came back. */
  total: number
  done: number
  /** Ended without success: failed, rolled back. */
  failed: number
  /** Something is in hand, or being proved, on a board that is there. */
  busy: number
  /** Wait, and are online as far as anybody knows. */
  waitingOnline: number
  /** Wait for their board, or have gone silent with something in hand. */
  away: number
  /** When the last of its boards was proved, milliseconds; 0 for none. */
  lastDoneAt: number
}

export type StageVerdict =
  | { kind: 'wait' }
  /** To the next stage, after its hold. */
  | { kind: 'next' }
  /** Somebody must say that it goes on. */
  | { kind: 'ask' }
  /** Every board of every stage has ended. */
  | { kind: 'end' }

/**
 * How the stage that is running stands. An empty one is passed without a hold; one whose boards all left, or never came
 * back, has proven nothing to go on with.
 */
export function judgeStage(
  stage: { holdMinutes: number; then: StageEnd },
  facts: StageFacts,
  context: { isLast: boolean; openInAll: number; follow: boolean; now: number }
): StageVerdict {
  const open = facts.busy + facts.waitingOnline + facts.away
  if (context.isLast) return open + context.openInAll === 0 && !context.follow ? { kind: 'end' } : { kind: 'wait' }
  if (facts.total === 0) return { kind: 'next' }
  if (facts.busy + facts.waitingOnline > 0) return { kind: 'wait' }
  if (facts.done === 0) return open === 0 ? { kind: 'ask' } : { kind: 'wait' }
  if (context.now < facts.lastDoneAt + stage.holdMinutes * 60_000) return { kind: 'wait' }
  return { kind: stage.then === 'ask' ? 'ask' : 'next' }
}

/** What was counted since the rollout was last resumed. */
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

/** Whether a rollout pauses itself; failures first, since they say most. */
export function judgePause(tally: Tally, maxFailurePercent: number): Pause | null {
  const { tried, failed, silent } = tally
  const isAbove = (count: number, percent: number): boolean => count >= fewest && count * 100 > percent * tried
  if (isAbove(failed, maxFailurePercent)) return { by: 'failures', tried, failed, limit: maxFailurePercent }
  if (isAbove(silent, silentPercent)) return { by: 'silence', tried, failed: silent, limit: silentPercent }
  return null
}

export const comparedBoards = 20
export const comparedAfterMs = 10 * 3_600_000
/** So few a board-hour (one in twenty hours) are chance, not a comparison. */
const rateFloor = 0.05
const boardHoursCompared = comparedBoards * 10

/** Which of the three counts more than doubled a board-hour with the new version; null: none, or too little is known. */
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
