/** How boards of one version behaved while they were watched. */
export interface VersionRecord {
  boardHours: number
  failed: number
  reconnects: number
  restarts: number
}
export const nothingWatched: VersionRecord = { boardHours: 0, failed: 0, reconnects: 0, restarts: 0 }

type Count = 'failed' | 'reconnects' | 'restarts'

/** Counts what happens to boards between two looks, by board; nothing of it is kept beyond that. */
export function createBoardWatch() {
  let counts = new Map<string, Record<Count, number>>()
  return {
    note(deviceId: string, what: Count): void {
      const known = counts.get(deviceId) ?? { failed: 0, reconnects: 0, restarts: 0 }
      known[what] += 1
      counts.set(deviceId, known)
    },
    take(): ReadonlyMap<string, Readonly<Record<Count, number>>> {
      const taken = counts
      counts = new Map()
      return taken
    }
  }
}
export type BoardWatch = ReturnType<typeof createBoardWatch>

/** Adds what the boards of one side did while they were online for `hours`. */
export function addWatched(
  record: VersionRecord,
  boards: { ids: readonly string[]; online: number; hours: number },
  counts: ReturnType<BoardWatch['take']>
): VersionRecord {
  const sum = { ...record, boardHours: record.boardHours + boards.online * boards.hours }
  for (const id of boards.ids) {
    const seen = counts.get(id)
    if (seen === undefined) continue
    sum.failed += seen.failed
    sum.reconnects += seen.reconnects
    sum.restarts += seen.restarts
  }
  return sum
}
