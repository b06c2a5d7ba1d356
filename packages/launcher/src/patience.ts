import type { Clock } from './clock.ts'

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
  clock: Clock,
  isOver: () => Promise<boolean>,
  sayStill: () => void
): Promise<boolean> {
  const startedAt = clock.now()
  let isSlow = false
  while (!(await isOver())) {
    const tookMs = clock.now() - startedAt
    if (tookMs > startWithinMs) return false
    if (tookMs > slowStartMs && !isSlow) {
      isSlow = true
      sayStill()
    }
    await clock.sleep(pollMs)
  }
  return true
}
