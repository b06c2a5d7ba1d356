import { reportBacklogMin, reportRetryMaxMs } from '@batti/contracts'
import type { Clock } from '@batti/kit/clock'
import type { DeviceStore } from '../registry/device-store.ts'
import type { ActionLogDocument, ReportName } from './action-log.model.ts'

interface Held {
  /** The resync report to acknowledge once these rows are written; null: they stand for a report that has not come. */
  report: ReportName | null
  rows: ActionLogDocument[]
  /** Infinity while the log is searched for them. */
  until: number
}

/** A board repeats an unacknowledged report within this time, at the latest with its third try. */
const usuallyHeldMs = 8000
/** A board that has repeated a report for long without an answer waits this long, and its message takes a moment. */
const longestRepeatMs = reportRetryMaxMs + 2000

/**
 * Holds log rows whose cause is still to come: a report overtook others of its board, so their changes show before their
 * reports do. A late report that names the outlet replaces the row. Rows that stay unexplained are written as found, unless
 * another instance has received the missing report and logged it.
 */
export function createHeldRows({
  clock,
  upSince,
  isStoring,
  findLogged,
  write
}: {
  clock: Pick<Clock, 'monotonic'>
  /** Since when boards are answered again, on the monotonic clock; null while they are not. */
  upSince(): number | null
  /** Whether reports can be stored, and hence acknowledged. */
  isStoring(): boolean
  /**
   * Returns those of the changes that are logged already, or undefined if that cannot be known now. Undefined itself where no
   * other instance logs any.
   */
  findLogged: DeviceStore['findLogged']
  write(deviceId: string, report: ReportName | null, rows: readonly ActionLogDocument[]): void
}) {
  /** By board, in order of arrival. */
  const boards = new Map<string, Held[]>()
  /** An answer is forwarded to an instance that was killed until that counts as gone; only a later repetition arrives here. */
  const heldMs = findLogged === undefined ? usuallyHeldMs : longestRepeatMs
  /** When it was last seen that reports could not be stored, on the monotonic clock. */
  let unstoredAt = -Infinity
  /** When a report of a board was last left to be repeated, on the monotonic clock. */
  const deferredAt = new Map<string, number>()

  function release(deviceId: string, isOver: (held: Held) => boolean): void {
    const all = boards.get(deviceId) ?? []
    const left = all.filter((held) => !isOver(held))
    if (left.length === 0) boards.delete(deviceId)
    else boards.set(deviceId, left)
    for (const { report, rows } of all.filter(isOver)) write(deviceId, report, rows)
  }

  async function releaseUnlogged(deviceId: string, over: readonly Held[], find: NonNullable<typeof findLogged>) {
    for (const held of over) held.until = Infinity
    const logged = await find(
      deviceId,
      over.flatMap(({ rows }) => rows)
    )
    if (logged === undefined) {
      for (const held of over) held.until = clock.monotonic() + usuallyHeldMs
      return
    }
    for (const held of over) held.rows = held.rows.filter((row) => !logged.has(row))
    release(deviceId, (held) => over.includes(held))
  }

  return {
    keep(deviceId: string, report: ReportName | null, rows: ActionLogDocument[]): void {
      const known = boards.get(deviceId) ?? []
      const [oldest] = known
      boards.set(deviceId, [...known, { report, rows, until: clock.monotonic() + heldMs }])
      if (known.length >= reportBacklogMin) release(deviceId, (held) => held === oldest)
    },
    has: (deviceId: string, { bootId, seq }: ReportName): boolean =>
      boards.get(deviceId)?.some(({ report }) => report?.bootId === bootId && report.seq === seq) ?? false,
    /** Drops the held rows of outlets that a late report explains with rows of its own. */
    explain(deviceId: string, indexes: readonly number[]): void {
      for (const index of indexes) {
        const isOfIt = ({ switchIndex }: ActionLogDocument): boolean => switchIndex === index
        const held = boards.get(deviceId)?.find(({ rows }) => rows.some(isOfIt))
        if (held !== undefined) held.rows = held.rows.filter((row) => !isOfIt(row))
      }
      release(deviceId, ({ rows }) => rows.length === 0)
    },
    sweep(): void {
      const now = clock.monotonic()
      if (!isStoring()) unstoredAt = now
      // Boards that were not answered for a while repeat their reports at long intervals, but newer ones come at once.
      if (now < Math.max(upSince() ?? now, unstoredAt) + longestRepeatMs) return
      for (const [deviceId, at] of deferredAt) if (now >= at + longestRepeatMs) deferredAt.delete(deviceId)
      for (const [deviceId, all] of boards) {
        if (deferredAt.has(deviceId)) continue
        const over = all.filter(({ until }) => until <= now)
        if (findLogged === undefined) release(deviceId, (held) => over.includes(held))
        else if (over.length > 0) void releaseUnlogged(deviceId, over, findLogged)
      }
    },
    /** Notes that a report of the board was not acknowledged. It comes again, and may explain what is held. */
    noteDeferred: (deviceId: string): void => void deferredAt.set(deviceId, clock.monotonic()),
    forget(deviceId: string): void {
      boards.delete(deviceId)
      deferredAt.delete(deviceId)
    }
  }
}
