import { reportBacklogMin } from '@batti/contracts'
import type { ReportName } from './action-log.model.ts'

/** A board may keep more reports than it must, and each of them may leave a gap. */
const rangesMost = 2 * reportBacklogMin

interface TakenReports {
  bootId: string
  /** From this number on, every report that was taken is remembered. */
  first: number
  /** The numbers that were taken, as ranges in order: from, to, from, to … Usually there is one range. */
  ends: number[]
}

/** Remembers the reports of each board's boot that this process has taken. */
export function createDedupWindow() {
  const boards = new Map<string, TakenReports>()
  return {
    has(deviceId: string, { bootId, seq }: ReportName): boolean {
      const board = boards.get(deviceId)
      return board?.bootId === bootId && isIn(board.ends, seq)
    },
    /** Whether `has` is reliable: reports from before this process started, or before many gaps, are not remembered. */
    covers(deviceId: string, { bootId, seq }: ReportName): boolean {
      const board = boards.get(deviceId)
      return board?.bootId === bootId && seq >= board.first
    },
    /** A late report never starts the range of `covers`: reports near it may have arrived before this process started. */
    note(deviceId: string, { bootId, seq }: ReportName, { isLate }: { isLate: boolean } = { isLate: false }): void {
      let board = boards.get(deviceId)
      if (board?.bootId !== bootId) boards.set(deviceId, (board = { bootId, first: Infinity, ends: [] }))
      if (board.first === Infinity && !isLate) board.first = seq
      if (isIn(board.ends, seq)) return
      add(board.ends, seq)
      if (board.ends.length <= 2 * rangesMost) return
      const [, last = 0] = board.ends.splice(0, 2)
      board.first = Math.max(board.first, last + 1)
    },
    forget: (deviceId: string): void => void boards.delete(deviceId)
  }
}
export type DedupWindow = ReturnType<typeof createDedupWindow>

/** Returns the position of the first end that is not below `seq`. Most reports are new, so the search begins with the last. */
const positionOf = (ends: readonly number[], seq: number): number => ends.findLastIndex((end) => end < seq) + 1

function isIn(ends: readonly number[], seq: number): boolean {
  const position = positionOf(ends, seq)
  return ends[position] === seq || position % 2 === 1
}

/** Adds a number that is in no range. */
function add(ends: number[], seq: number): void {
  const position = positionOf(ends, seq)
  const extendsOne = ends[position - 1] === seq - 1
  const precedesOne = ends[position] === seq + 1
  if (extendsOne && precedesOne) ends.splice(position - 1, 2)
  else if (extendsOne) ends[position - 1] = seq
  else if (precedesOne) ends[position] = seq
  else ends.splice(position, 0, seq, seq)
}
