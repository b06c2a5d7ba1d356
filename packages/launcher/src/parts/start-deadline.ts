import { sleep, type Timers } from '@batti/kit/clock'

/** A start from a slow card, or beside other work, takes a minute and more. This ends one that hangs. */
export const startWithinMs = 5 * 60_000
/** When people are told that it is still at it. */
export const slowStartMs = 30_000
const pollMs = 50

/**
 * Asks again and again until `isOver` says so: true. False when that took longer than a start may. `sayStill` is called
 * once, when it takes long.
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
