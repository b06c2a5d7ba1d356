import type { Clock } from '@batti/kit/clock'
import type { ActionLogDocument, ReportName } from './action-log.model.ts'

interface Held extends ReportName {
  rows: ActionLogDocument[]
  until: number
}

/** A board repeats what was not acknowledged within this time, at the latest with its third try. */
const heldMs = 8000

/**
 * Rows of a resync that overtook reports of its board: what changed is known, why is still on its way. A report that comes
 * late and names the outlet takes the row's place; what nobody explains in time is told as it was found.
 */
export function createHeldRows(
  clock: Pick<Clock, 'monotonic'>,
  write: (deviceId: string, report: ReportName, rows: readonly ActionLogDocument[]) => void
) {
  const boards = new Map<string, Held>()

  function release(deviceId: string): void {
    const held = boards.get(deviceId)
    if (held === undefined) return
    boards.delete(deviceId)
    write(deviceId, held, held.rows)
  }

  return {
    keep(deviceId: string, { bootId, seq }: ReportName, rows: ActionLogDocument[]): void {
      release(deviceId)
      boards.set(deviceId, { bootId, seq, rows, until: clock.monotonic() + heldMs })
    },
    has(deviceId: string, { bootId, seq }: ReportName): boolean {
      const held = boards.get(deviceId)
      return held?.bootId === bootId && held.seq === seq
    },
    /** A late report told these: their rows are its own. */
    explain(deviceId: string, indexes: readonly number[]): void {
      const held = boards.get(deviceId)
      if (held === undefined) return
      held.rows = held.rows.filter(({ switchIndex }) => switchIndex === null || !indexes.includes(switchIndex))
      if (held.rows.length === 0) release(deviceId)
    },
    sweep(): void {
      for (const [deviceId, { until }] of boards) if (until <= clock.monotonic()) release(deviceId)
    },
    forget: (deviceId: string): void => void boards.delete(deviceId)
  }
}
