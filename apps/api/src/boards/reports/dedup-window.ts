import type { DeviceReport } from '@batti/contracts'

/** A board holds at least this many reports that were not acknowledged, and sends them again. */
const remembered = 64

type ReportId = Pick<DeviceReport, 'bootId' | 'seq'>

/** The newest reports of each board's boot: numbers alone, since at thousands a second whatever is kept costs. */
export function createDedupWindow() {
  const boards = new Map<string, { bootId: string; first: number; newest: number; seqs: Float64Array }>()
  return {
    has(deviceId: string, { bootId, seq }: ReportId): boolean {
      const board = boards.get(deviceId)
      return board?.bootId === bootId && board.seqs[seq % remembered] === seq
    },
    /** Whether `has` is sure: what came before this process began, or before the window, it does not know. */
    covers(deviceId: string, { bootId, seq }: ReportId): boolean {
      const board = boards.get(deviceId)
      return board?.bootId === bootId && seq >= board.first && seq > board.newest - remembered
    },
    /** A late one may have others beside it that came before this process began: they begin nothing that `has` is sure of. */
    note(deviceId: string, { bootId, seq }: ReportId, { isLate }: { isLate: boolean } = { isLate: false }): void {
      let board = boards.get(deviceId)
      if (board?.bootId !== bootId) {
        // `seq` counts from 1: zero is no report.
        board = { bootId, first: isLate ? Infinity : seq, newest: seq, seqs: new Float64Array(remembered) }
        boards.set(deviceId, board)
      }
      board.newest = Math.max(board.newest, seq)
      board.seqs[seq % remembered] = seq
    },
    forget: (deviceId: string): void => void boards.delete(deviceId)
  }
}
export type DedupWindow = ReturnType<typeof createDedupWindow>
