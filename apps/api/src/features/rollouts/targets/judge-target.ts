import { compareVersions, type UpdateError, type UpdatePhase } from '@batti/contracts'
import { dayMs, hourMs, minuteMs } from '@batti/kit/durations'

/** The facts about a board that decide about its update. Times in milliseconds. */
export interface BoardSigns {
  isOnline: boolean
  /** When it last came online or went offline; 0 for never. */
  onlineChangedAt: number
  /** Its current boot, which its status names already. */
  bootId: string
  /** The version that it last reported, and in which boot. */
  osVersion: string
  osBootId: string
  /** The number of its current connection within the boot. */
  conn: number
  /** For settings: the revision that it last confirmed. */
  configConfirmedRev: number
}

export interface TargetSigns {
  kind: 'firmware' | 'settings'
  phase: UpdatePhase
  version: string | null
  rev: number | null
  sends: number
  /** How often the board came back after a mere loss of the connection, without any progress since. */
  resends: number
  sentAt: number
  progressAt: number
  changedAt: number
  bootIdAtSend: string
  connAtSend: number | null
  /** Whether it is a manual update: nobody waits for it for weeks. */
  isSingle: boolean
  /** For settings: the board has refused them. */
  error: UpdateError | null
}

export type TargetVerdict =
  | { kind: 'stay' }
  /** Send the same job again, or note that settings are; `counts` after a power cut, but not after a mere loss of the connection. */
  | { kind: 'send-again'; counts: boolean }
  | { kind: 'move'; phase: UpdatePhase; error?: UpdateError }

const sendsMax = 4
const noProgressMs = 15 * minuteMs
export const abandonedAfterMs = 30 * dayMs
const singleGoneMs = hourMs
/** What a board sent before its restart, or right after it, is handled first. */
export const settleMs = 1500

export const beforeInstall: ReadonlySet<UpdatePhase> = new Set(['sent', 'download', 'verify'])
/** The board is working on this update. */
export const underWayPhases = ['sent', 'download', 'verify', 'install', 'reboot'] as const satisfies UpdatePhase[]
/** The same, or the board is in its proving time. */
export const inProgressPhases = [...underWayPhases, 'proving'] as const satisfies UpdatePhase[]
export const finalPhases = ['done', 'failed', 'rolled-back', 'skipped'] as const satisfies UpdatePhase[]

const stay: TargetVerdict = { kind: 'stay' }
const fail = (code: UpdateError['code'], detail: string | null = null): TargetVerdict => ({
  kind: 'move',
  phase: 'failed',
  error: { code, detail }
})

export const wentSilent: UpdateError = { code: 'went-silent', detail: 'The board did not come back.' }

/** Whether nobody waits for the board any longer. */
export function isGone(
  { isSingle, changedAt }: Pick<TargetSigns, 'isSingle' | 'changedAt'>,
  { isOnline, onlineChangedAt }: Pick<BoardSigns, 'isOnline' | 'onlineChangedAt'>,
  now: number
): boolean {
  const goneMs = isOnline ? 0 : now - Math.max(onlineChangedAt, changedAt)
  return goneMs > (isSingle ? singleGoneMs : abandonedAfterMs)
}

/** Judges a board that has been sent something. Pure: the same facts always give the same verdict. */
export function judgeTarget(target: TargetSigns, board: BoardSigns, now: number, proveMs: number): TargetVerdict {
  if (isGone(target, board, now)) {
    return beforeInstall.has(target.phase) && !target.isSingle
      ? { kind: 'move', phase: 'skipped' }
      : { kind: 'move', phase: 'failed', error: wentSilent }
  }
  if (target.kind === 'settings') return judgeSettings(target, board, now)
  if (isBeyond(target, board)) return { kind: 'move', phase: 'done' }
  if (target.phase === 'proving') return judgeProving(target, board, now, proveMs)
  if (board.osVersion === target.version) return { kind: 'move', phase: 'proving' }
  // Its report, which names its version, follows its status.
  if (board.isOnline && now - board.onlineChangedAt < settleMs) return stay
  const isOtherBoot = board.bootId !== target.bootIdAtSend
  // Until it has reported, its version is that of an earlier boot.
  if (isOtherBoot && !beforeInstall.has(target.phase) && board.osBootId === board.bootId) {
    return {
      kind: 'move',
      phase: 'rolled-back',
      error: { code: 'boot-failed', detail: `It runs ${board.osVersion} again.` }
    }
  }
  if (isOtherBoot && beforeInstall.has(target.phase)) {
    return target.sends >= sendsMax
      ? fail('power-lost', `It was started again in the middle ${target.sends} times.`)
      : { kind: 'send-again', counts: true }
  }
  if (!board.isOnline) return stay
  if (beforeInstall.has(target.phase) && isNewConnection(target, board)) {
    return mayComeBackAgain(target, now)
      ? { kind: 'send-again', counts: false }
      : fail('no-progress', `It was sent to the board ${target.resends} more times, without any progress.`)
  }
  return isStuck(target, board, now) ? fail('no-progress', 'It made no progress for 15 minutes.') : stay
}

/** Somebody else has given it a later version: a rollout never takes a board back to an earlier one. */
const isBeyond = ({ isSingle, version }: TargetSigns, { osVersion }: BoardSigns): boolean =>
  !isSingle && version !== null && compareVersions(osVersion, version) > 0

/** A job may get lost between two connections, also when the board replaced its own connection and was never offline. */
const isNewConnection = (target: TargetSigns, board: BoardSigns): boolean =>
  board.onlineChangedAt > target.sentAt || (target.connAtSend !== null && board.conn !== target.connAtSend)

/** A board that comes back again and again without any progress does not keep its place for ever. */
const mayComeBackAgain = ({ resends, progressAt, changedAt }: TargetSigns, now: number): boolean =>
  resends < sendsMax || now - Math.max(progressAt, changedAt) <= noProgressMs

function judgeProving(target: TargetSigns, board: BoardSigns, now: number, proveMs: number): TargetVerdict {
  if (board.osVersion !== target.version) {
    return {
      kind: 'move',
      phase: 'rolled-back',
      error: { code: 'boot-failed', detail: `It runs ${board.osVersion} again.` }
    }
  }
  const provedFor = now - Math.max(board.onlineChangedAt, target.changedAt)
  return board.isOnline && provedFor >= proveMs ? { kind: 'move', phase: 'done' } : stay
}

/**
 * The board confirms settings by their revision, and the link resends them to a board that was offline. Without a
 * revision it is unknown whether they were stored, because the instance died before that.
 */
function judgeSettings(target: TargetSigns, board: BoardSigns, now: number): TargetVerdict {
  if (target.rev === null) return { kind: 'move', phase: 'waiting' }
  if (board.configConfirmedRev >= target.rev) return { kind: 'move', phase: 'done' }
  if (target.error !== null) return { kind: 'move', phase: 'failed', error: target.error }
  if (!board.isOnline || now - board.onlineChangedAt < settleMs) return stay
  const isBack = board.onlineChangedAt > target.sentAt
  if (isBack ? !mayComeBackAgain(target, now) : isStuck(target, board, now))
    return fail('no-progress', 'It did not confirm the settings within 15 minutes.')
  return isBack ? { kind: 'send-again', counts: false } : stay
}

const isStuck = (target: TargetSigns, board: BoardSigns, now: number): boolean =>
  now - Math.max(target.sentAt, target.progressAt, board.onlineChangedAt) > noProgressMs
