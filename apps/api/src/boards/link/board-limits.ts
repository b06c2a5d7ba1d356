import { createTokenBucket, type TokenBucket } from '@batti/kit/token-bucket'
import type { Clock } from '@batti/kit/clock'
import { accountRate } from '../../platform/account-rate.ts'
import { createBucketByKey } from '../../platform/limit-by-key.ts'
import { ownerOf, type OwnedBoard } from '../reports/lookups-under-way.ts'

const badMessageRate = { perSecond: 20 / 60, burst: 20 }
const unlimited = { perSecond: 0, burst: 0 }

/**
 * Limits what a board may send: reports a second (bursts of five times that; 0: off), log rows and bad messages a minute. The
 * boards of one account together have limits of their own for reports and rows, so that a hundred of them leave time and disk
 * space to others.
 */
export function createBoardLimits(
  clock: Pick<Clock, 'monotonic'>,
  { reportsPerSecond, logRowsPerMinute }: { reportsPerSecond: number; logRowsPerMinute: number }
) {
  const reportRate = { perSecond: reportsPerSecond, burst: reportsPerSecond * 5 }
  // At 0 all limits are off together, for benchmarks.
  const statusRate = reportsPerSecond === 0 ? unlimited : { perSecond: 1, burst: 10 }
  const progressRate = reportsPerSecond === 0 ? unlimited : { perSecond: 5, burst: 50 }
  const rowRate = { perSecond: logRowsPerMinute / 60, burst: logRowsPerMinute * 5 }
  const rates = {
    reports: reportRate,
    status: statusRate,
    download: progressRate,
    phases: progressRate,
    rows: rowRate,
    bad: badMessageRate
  }
  const accountReports = createBucketByKey(accountRate(reportRate), clock.monotonic)
  const accountRows = createBucketByKey(accountRate(rowRate), clock.monotonic)
  /** Buckets are created on first use, because most boards only send heartbeats. */
  const limits = new Map<string, Partial<Record<keyof typeof rates, TokenBucket>>>()

  function bucketOf(deviceId: string, name: keyof typeof rates): TokenBucket {
    let buckets = limits.get(deviceId)
    if (buckets === undefined) limits.set(deviceId, (buckets = {}))
    return (buckets[name] ??= createTokenBucket(rates[name], clock.monotonic))
  }

  return {
    mayReport: (board: OwnedBoard): boolean =>
      bucketOf(board.id, 'reports').take() && accountReports(ownerOf(board)).take(),
    mayTellStatus: ({ id }: OwnedBoard): boolean => bucketOf(id, 'status').take(),
    /** Download percentages have their own bucket: the next one supersedes a lost one, but a lost phase never comes again. */
    mayTellProgress: (deviceId: string, isDownload: boolean): boolean =>
      bucketOf(deviceId, isDownload ? 'download' : 'phases').take(),
    /**
     * Limits rows of the action log. Rows over the limit come again when the board repeats its report, oldest first. A report with
     * more rows than a whole burst needs a whole burst: it would never be logged otherwise.
     */
    mayLog(board: OwnedBoard, rows: number): boolean {
      const buckets = [bucketOf(board.id, 'rows'), accountRows(ownerOf(board))]
      const needed = Math.min(rows, rowRate.burst)
      if (buckets.some((bucket) => bucket.available() < needed)) return false
      for (const bucket of buckets) bucket.spend(rows)
      return true
    },
    /** Returns false after too many malformed messages: the connection must be closed. */
    mayBeWrong: (deviceId: string): boolean => bucketOf(deviceId, 'bad').take(),
    forget: (deviceId: string): void => void limits.delete(deviceId)
  }
}
export type BoardLimits = ReturnType<typeof createBoardLimits>
