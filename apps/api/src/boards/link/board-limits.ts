import { createTokenBucket, type TokenBucket } from '@batti/kit/token-bucket'
import type { Clock } from '@batti/kit/clock'

const badMessageRate = { perSecond: 20 / 60, burst: 20 }
const unlimited = { perSecond: 0, burst: 0 }

/** What one board may send: reports a second, with bursts of five times that (0 turns it off), and wrong messages a minute. */
export function createBoardLimits(
  clock: Pick<Clock, 'monotonic'>,
  { reportsPerSecond, logRowsPerMinute }: { reportsPerSecond: number; logRowsPerMinute: number }
) {
  const reportRate = { perSecond: reportsPerSecond, burst: reportsPerSecond * 5 }
  // The limits come off together, for benchmarks.
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
  /** Made when they are first drawn from: most boards only say that they are there. */
  const limits = new Map<string, Partial<Record<keyof typeof rates, TokenBucket>>>()

  function bucketOf(deviceId: string, name: keyof typeof rates): TokenBucket {
    let buckets = limits.get(deviceId)
    if (buckets === undefined) limits.set(deviceId, (buckets = {}))
    return (buckets[name] ??= createTokenBucket(rates[name], clock.monotonic))
  }

  return {
    mayReport: (deviceId: string): boolean => bucketOf(deviceId, 'reports').take(),
    mayTellStatus: (deviceId: string): boolean => bucketOf(deviceId, 'status').take(),
    /** The percents of a download, of which the next says as much, take nothing from the phases, none of which comes again. */
    mayTellProgress: (deviceId: string, isDownload: boolean): boolean =>
      bucketOf(deviceId, isDownload ? 'download' : 'phases').take(),
    /** Rows of the action log: what is too much now comes again with the board's repeats, oldest first. */
    mayLog(deviceId: string, rows: number): boolean {
      const bucket = bucketOf(deviceId, 'rows')
      if (bucket.available() < rows) return false
      bucket.spend(rows)
      return true
    },
    /** False once there were too many wrong messages: the connection has to end. */
    mayBeWrong: (deviceId: string): boolean => bucketOf(deviceId, 'bad').take(),
    forget: (deviceId: string): void => void limits.delete(deviceId)
  }
}
export type BoardLimits = ReturnType<typeof createBoardLimits>
