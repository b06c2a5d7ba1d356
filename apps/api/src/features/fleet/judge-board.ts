import { weakSignalDbm, type HealthReason } from '@batti/contracts'
import { dayMs, hourMs, minuteMs } from '@batti/kit/durations'
import { clocksApartMs } from '../../platform/clocks-apart.ts'

/** A board offline for longer than this is considered abandoned: offline, but no longer silent. */
const silentAtMostMs = 30 * dayMs
const flappingConnections = 6
const failingCommands = 3
const commandsRemembered = 20
const signalsAMinute = 20

/** The facts counted from a board's messages. Times in milliseconds. */
export interface BoardFacts {
  isOnline: boolean
  isSeen: boolean
  onlineChangedAt: number
  /** When `onlineChangedAt` was found to be from a clock that was ahead: until that time comes, this one counts; else null. */
  aheadSince: number | null
  hwModel: string
  osVersion: string
  /** Times of connections, newest last; only the last hour counts. */
  connections: number[]
  /** Signals of the last hour, newest last, several of one minute too: minutes since the epoch times 256, minus dBm, packed. */
  signals: number[]
  /** The last 20 commands, one bit each, the newest lowest: 1 means never answered. */
  unanswered: number
}

export const noFacts = (): Pick<BoardFacts, 'aheadSince' | 'connections' | 'signals' | 'unanswered'> => ({
  aheadSince: null,
  connections: [],
  signals: [],
  unanswered: 0
})

/** Whether a time was recorded by a clock that was ahead and was set back. */
export const isAhead = (at: number, now: number): boolean => at > now + clocksApartMs

const isOfLastHour = (at: number, now: number): boolean => at > now - hourMs && !isAhead(at, now)

export function noteConnection(facts: BoardFacts, at: number): void {
  facts.connections = [...facts.connections.filter((each) => isOfLastHour(each, at)), at].slice(-flappingConnections)
}

/**
 * Bounds memory for a board that reports endlessly: only the newest signals of each minute are kept.
 * @param dbm a whole number, as `rssi` of the contracts gives it: more than 0 counts as 0.
 */
export function noteSignal(facts: BoardFacts, at: number, dbm: number): void {
  const minute = Math.floor(at / minuteMs)
  if (minuteOf(facts.signals.at(-1) ?? 0) > minute + 1) {
    const { first, end } = lastHour(at)
    facts.signals = facts.signals.filter((each) => each >= first && each < end)
  }
  const isFull = minuteOf(facts.signals.at(-signalsAMinute) ?? 0) === minute
  if (isFull) facts.signals.splice(-signalsAMinute, 1)
  facts.signals.push(minute * 256 - Math.min(0, dbm))
  while (minuteOf(facts.signals[0] ?? 0) <= minute - 60) facts.signals.shift()
}

const minuteOf = (signal: number): number => Math.floor(signal / 256)

/** The packed signals of the last hour are from `first` on and below `end`. */
function lastHour(now: number): { first: number; end: number } {
  const nextMinute = (at: number): number => (Math.floor(at / minuteMs) + 1) * 256
  return { first: nextMinute(now - hourMs), end: nextMinute(now + clocksApartMs) }
}

export function noteCommand(facts: BoardFacts, isAnswered: boolean): void {
  facts.unanswered = ((facts.unanswered << 1) | (isAnswered ? 0 : 1)) & (2 ** commandsRemembered - 1)
}

/** Call before the board is judged. The time itself stays as it is: perhaps it is the present clock that is wrong. */
export function doubtTimeAhead(facts: Pick<BoardFacts, 'onlineChangedAt' | 'aheadSince'>, now: number): void {
  facts.aheadSince = isAhead(facts.onlineChangedAt, now) ? (facts.aheadSince ?? now) : null
}

/** Returns what is wrong with a board now. */
export function judgeBoard(
  facts: BoardFacts,
  { now, silentMs, isOutdated }: { now: number; silentMs: number; isOutdated: boolean }
): HealthReason[] {
  if (!facts.isSeen) return ['never-seen']
  const awayMs = facts.isOnline ? 0 : now - (facts.aheadSince ?? facts.onlineChangedAt)
  const isSilent = awayMs > silentMs && awayMs <= silentAtMostMs
  const connections = facts.connections.filter((at) => isOfLastHour(at, now)).length
  return [
    ...(isSilent ? ['silent' as const] : []),
    ...(countBits(facts.unanswered) >= failingCommands ? ['failing' as const] : []),
    ...(connections >= flappingConnections ? ['flapping' as const] : []),
    ...(isWeak(facts, now) ? ['weak' as const] : []),
    ...(isOutdated ? ['outdated' as const] : [])
  ]
}

/** Whether the median of the last hour's signals is weak. Found without sorting them, because every report that brings one asks. */
function isWeak({ signals }: Pick<BoardFacts, 'signals'>, now: number): boolean {
  const { first, end } = lastHour(now)
  let weakSurplus = 0
  let [bestWeak, worstStrong] = [-Infinity, Infinity]
  for (const signal of signals) {
    if (signal < first || signal >= end) continue
    const dbm = -(signal % 256)
    if (dbm < weakSignalDbm) {
      weakSurplus += 1
      if (dbm > bestWeak) bestWeak = dbm
    } else {
      weakSurplus -= 1
      if (dbm < worstStrong) worstStrong = dbm
    }
  }
  // Half of them weak: the median is between the two in the middle. Without any it is not a number, and not weak.
  return weakSurplus > 0 || (weakSurplus === 0 && (bestWeak + worstStrong) / 2 < weakSignalDbm)
}

/** Returns the median; 0 for no values. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  if (sorted.length % 2 === 1) return sorted[middle] ?? 0
  return ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2
}

function countBits(bits: number): number {
  let count = 0
  for (let left = bits; left !== 0; left &= left - 1) count += 1
  return count
}
