import { hourMs, minuteMs } from '@batti/kit/durations'

/** How boards of one version behaved while they were observed. */
export interface VersionRecord {
  boardHours: number
  failed: number
  reconnects: number
  restarts: number
}
export const nothingWatched: VersionRecord = { boardHours: 0, failed: 0, reconnects: 0, restarts: 0 }

type Count = 'failed' | 'reconnects' | 'restarts'
type Counts = ReadonlyMap<string, Readonly<Record<Count, number>>>

/** A rollout that has not asked for this long, because it was paused or moved to another instance, is no longer counted for. */
const keptMs = 15 * minuteMs

/** Counts events of boards between two passes of each rollout; nothing is kept beyond that. */
export function createBoardWatch(monotonic: () => number) {
  const watches = new Map<string, { from: number; counts: Map<string, Record<Count, number>> }>()
  return {
    note(deviceId: string, what: Count): void {
      for (const [rolloutId, { from, counts }] of watches) {
        if (monotonic() - from > keptMs) watches.delete(rolloutId)
        const known = counts.get(deviceId) ?? { failed: 0, reconnects: 0, restarts: 0 }
        known[what] += 1
        counts.set(deviceId, known)
      }
    },
    /** Returns the counts since this rollout last asked, and the hours since then; empty with 0 hours at first. */
    take(rolloutId: string): { counts: Counts; hours: number } {
      const watch = watches.get(rolloutId)
      watches.set(rolloutId, { from: monotonic(), counts: new Map() })
      const ms = watch === undefined ? Infinity : monotonic() - watch.from
      if (watch === undefined || ms > keptMs) return { counts: new Map(), hours: 0 }
      return { counts: watch.counts, hours: Math.max(0, ms) / hourMs }
    }
  }
}
export type BoardWatch = ReturnType<typeof createBoardWatch>

/** Adds the events of one version's boards while they were online for `hours`. */
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
