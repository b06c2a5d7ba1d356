import { createTokenBucket, type TokenBucket } from '@batti/kit/token-bucket'
import type { Clock } from '../../platform/clock.ts'

const badMessageRate = { perSecond: 20 / 60, burst: 20 }

/** What one board may send: reports a second, with bursts of five times that (0 turns it off), and wrong messages a minute. */
export function createBoardLimits(clock: Pick<Clock, 'monotonic'>, reportsPerSecond: number) {
  const reportRate = { perSecond: reportsPerSecond, burst: reportsPerSecond * 5 }
  const limits = new Map<string, { reports: TokenBucket; bad: TokenBucket }>()

  function limitsOf(deviceId: string): { reports: TokenBucket; bad: TokenBucket } {
    const known = limits.get(deviceId)
    if (known !== undefined) return known
    const made = {
      reports: createTokenBucket(reportRate, clock.monotonic),
      bad: createTokenBucket(badMessageRate, clock.monotonic)
    }
    limits.set(deviceId, made)
    return made
  }

  return {
    mayReport: (deviceId: string): boolean => limitsOf(deviceId).reports.take(),
    /** False once there were too many wrong messages: the connection has to end. */
    mayBeWrong: (deviceId: string): boolean => limitsOf(deviceId).bad.take(),
    forget: (deviceId: string): void => void limits.delete(deviceId)
  }
}
export type BoardLimits = ReturnType<typeof createBoardLimits>
