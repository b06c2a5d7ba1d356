import { reportBacklogMin } from '@batti/contracts'
import type { ReportName } from './action-log.model.ts'

/** Remembers the newest reports of each board's boot. Numbers only: at thousands a second, every byte counts. */
export function createDedupWindow() {
  const boards = new Map<string, { bootId: string; first: number; newest: number; seqs: Float64Array }>()
  return {
    has(deviceId: string, { bootId, seq }: ReportName): boolean {
      const board = boards.get(deviceId)
      return board?.bootId === bootId && board.seqs[seq % reportBacklogMin] === seq
    },
    /** Whether `has` is reliable: it knows nothing of reports from before this process started or before the window. */
    covers(deviceId: string, { bootId, seq }: ReportName): boolean {
      const board = boards.get(deviceId)
      return board?.bootId === bootId && seq >= board.first && seq > board.newest - reportBacklogMin
    },
    /** A late report never starts the range of `covers`: reports near it may have arrived before this process started. */
    note(deviceId: string, { bootId, seq }: ReportName, { isLate }: { isLate: boolean } = { isLate: false }): void {
      let board = boards.get(deviceId)
      if (board?.bootId !== bootId) {
        // `seq` starts at 1, so 0 marks an empty slot.
        board = { bootId, first: isLate ? Infinity : seq, newest: seq, seqs: new Float64Array(reportBacklogMin) }
        boards.set(deviceId, board)
      }
      board.newest = Math.max(board.newest, seq)
      // An older report must not displace a newer one, which `covers` still includes.
      const slot = seq % reportBacklogMin
      board.seqs[slot] = Math.max(board.seqs[slot] ?? 0, seq)
    },
    forget: (deviceId: string): void => void boards.delete(deviceId)
  }
}
export type DedupWindow = ReturnType<typeof createDedupWindow>
