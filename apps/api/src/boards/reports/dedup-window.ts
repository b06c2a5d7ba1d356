import type { DeviceReport } from '@batti/contracts'

/** A board holds at least this many reports that were not acknowledged, and sends them again. */
const remembered = 64

type ReportId = Pick<DeviceReport, 'bootId' | 'seq'>

/** The newest reports of each board's boot: numbers alone, since at thousands a second whatever is kept costs. */
export function createDedupWindow() {
  const boards = new Map<string, { bootId: string; seqs: Float64Array }>()
  return {
    has(deviceId: string, { bootId, seq }: ReportId): boolean {
      const board = boards.get(deviceId)
      return board?.bootId === bootId && board.seqs[seq % remembered] === seq
    },
    note(deviceId: string, { bootId, seq }: ReportId): void {
      let board = boards.get(deviceId)
      // `seq` counts from 1: zero is no report.
      if (board?.bootId !== bootId) boards.set(deviceId, (board = { bootId, seqs: new Float64Array(remembered) }))
      board.seqs[seq % remembered] = seq
    },
    forget: (deviceId: string): void => void boards.delete(deviceId)
  }
}
export type DedupWindow = ReturnType<typeof createDedupWindow>
