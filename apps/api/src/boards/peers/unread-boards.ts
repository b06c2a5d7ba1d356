import type { Clock } from '@batti/kit/clock'
import type { HeardPresence } from '../link/board-presence.ts'
import { isOfEarlierConnection } from '../link/presence.ts'
import { isNewerReport } from '../registry/live-device.ts'
import type { ReportTaken } from './peer-messages.ts'

/** Longer than the sender of a message takes to store it. */
const keptMs = 5000
const boardsKept = 5000

interface Unread {
  report: ReportTaken | undefined
  presence: HeardPresence
  at: number
}

/**
 * Keeps what other instances said of boards that are not in memory. A board loaded before that is stored would otherwise show,
 * and keep, its earlier state.
 */
export function createUnreadBoards(clock: Pick<Clock, 'monotonic'>) {
  /** By board id, the latest last. */
  const unread = new Map<string, Unread>()

  function forgetOld(): void {
    const before = clock.monotonic() - keptMs
    for (const [id, { at }] of unread) {
      if (unread.size <= boardsKept && at > before) return
      unread.delete(id)
    }
  }

  return {
    /** Messages of one board come from several instances, and may overtake each other. */
    keep(id: string, presence: HeardPresence, report?: ReportTaken): void {
      const earlier = unread.get(id)
      const isNewer = report !== undefined && (earlier?.report === undefined || isNewerReport(report, earlier.report))
      const isOver = earlier !== undefined && isOfEarlierConnection(presence, earlier.presence)
      unread.delete(id)
      unread.set(id, {
        report: isNewer ? report : earlier?.report,
        presence: isOver ? earlier.presence : presence,
        at: clock.monotonic()
      })
      forgetOld()
    },
    take(id: string): Unread | undefined {
      forgetOld()
      const found = unread.get(id)
      unread.delete(id)
      return found
    }
  }
}
