import { sleep, type Timers } from '@batti/kit/clock'
import { minuteMs } from '@batti/kit/durations'

/** A start from a slow SD card or on a busy machine can take more than a minute. A start that takes this long hangs. */
export const startWithinMs = 5 * minuteMs
/** The user is told after this time that the start is still in progress. */
export const slowStartMs = 30_000
const pollMs = 50

/**
 * Polls `isOver` until it is true, and resolves with true; with false after `startWithinMs`. Calls `sayStill` once after
 * `slowStartMs`.
 */
export async function waitForStart(
  clock: Timers,
  isOver: () => Promise<boolean>,
  sayStill: () => void
): Promise<boolean> {
  const startedAt = clock.monotonic()
  let isSlow = false
  while (!(await isOver())) {
    const tookMs = clock.monotonic() - startedAt
    if (tookMs > startWithinMs) return false
    if (tookMs > slowStartMs && !isSlow) {
      isSlow = true
      sayStill()
    }
    await sleep(clock, pollMs)
  }
  return true
}
