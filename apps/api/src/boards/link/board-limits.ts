import { createTokenBucket, type TokenBucket } from '@batti/kit/token-bucket'
import type { Clock } from '@batti/kit/clock'

interface BoardBuckets {
  reports: TokenBucket
  status: TokenBucket
  rows: TokenBucket
  bad: TokenBucket
}

const badMessageRate = { perSecond: 20 / 60, burst: 20 }

/** What one board may send: reports a second, with bursts of five times that (0 turns it off), and wrong messages a minute. */
export function createBoardLimits(
  clock: Pick<Clock, 'monotonic'>,
  { reportsPerSecond, logRowsPerMinute }: { reportsPerSecond: number; logRowsPerMinute: number }
) {
  const reportRate = { perSecond: reportsPerSecond, burst: reportsPerSecond * 5 }
  // The limits come off together, for benchmarks.
  const statusRate = reportsPerSecond === 0 ? { perSecond: 0, burst: 0 } : { perSecond: 1, burst: 10 }
  const rowRate = { perSecond: logRowsPerMinute / 60, burst: logRowsPerMinute * 5 }
  const limits = new Map<string, BoardBuckets>()

  function limitsOf(deviceId: string): BoardBuckets {
    const known = limits.get(deviceId)
    if (known !== undefined) return known
    const made = {
      reports: createTokenBucket(reportRate, clock.monotonic),
      status: createTokenBucket(statusRate, clock.monotonic),
      rows: createTokenBucket(rowRate, clock.monotonic),
      bad: createTokenBucket(badMessageRate, clock.monotonic)
    }
    limits.set(deviceId, made)
    return made
  }

  return {
    mayReport: (deviceId: string): boolean => limitsOf(deviceId).reports.take(),
    mayTellStatus: (deviceId: string): boolean => limitsOf(deviceId).status.take(),
    /** Rows of the action log: what is too much now comes again with the board's repeats, oldest first. */
    mayLog(deviceId: string, rows: number): boolean {
      const bucket = limitsOf(deviceId).rows
      if (bucket.available() < rows) return false
      bucket.spend(rows)
      return true
    },
    /** False once there were too many wrong messages: the connection has to end. */
    mayBeWrong: (deviceId: string): boolean => limitsOf(deviceId).bad.take(),
    forget: (deviceId: string): void => void limits.delete(deviceId)
  }
}
export type BoardLimits = ReturnType<typeof createBoardLimits>
