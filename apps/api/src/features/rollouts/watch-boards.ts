/** How boards of one version behaved while they were watched. */
export interface VersionRecord {
  boardHours: number
  failed: number
  reconnects: number
  restarts: number
}
export const nothingWatched: VersionRecord = { boardHours: 0, failed: 0, reconnects: 0, restarts: 0 }

type Count = 'failed' | 'reconnects' | 'restarts'
type Counts = ReadonlyMap<string, Readonly<Record<Count, number>>>

/** A rollout that has not asked for this long, since it was paused or is another instance's, is counted for no more. */
const keptMs = 15 * 60_000

/** Counts what happens to boards between two looks of each rollout, by board; nothing of it is kept beyond that. */
export function createBoardWatch(now: () => number) {
  const watches = new Map<string, { from: number; counts: Map<string, Record<Count, number>> }>()
  return {
    note(deviceId: string, what: Count): void {
      for (const [rolloutId, { from, counts }] of watches) {
        if (now() - from > keptMs) watches.delete(rolloutId)
        const known = counts.get(deviceId) ?? { failed: 0, reconnects: 0, restarts: 0 }
        known[what] += 1
        counts.set(deviceId, known)
      }
    },
    /** What was counted since this rollout last asked, and for how long; at first nothing, for no time. */
    take(rolloutId: string): { counts: Counts; hours: number } {
      const watch = watches.get(rolloutId)
      watches.set(rolloutId, { from: now(), counts: new Map() })
      const ms = watch === undefined ? Infinity : now() - watch.from
      if (watch === undefined || ms > keptMs) return { counts: new Map(), hours: 0 }
      return { counts: watch.counts, hours: Math.max(0, ms) / 3_600_000 }
    }
  }
}
export type BoardWatch = ReturnType<typeof createBoardWatch>

/** Adds what the boards of one side did while they were online for `hours`. */
export function addWatched(
  record: VersionRecord,
  boards: { ids: readonly string[]; online: number; hours: number },
  counts: Counts
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
