import { aheadOf, type Clock } from './clock.ts'
import { hourMs } from './durations.ts'

/** Corrections by a time server are smaller, except after a start without a clock chip. */
const jumpMs = hourMs
const doubtMs = hourMs

/**
 * Watches for a wall clock that is set far forward. For an hour it is doubted, so that a mistake which is corrected by then
 * deletes nothing for its age. The returned function looks at the clock, and tells whether it is in doubt.
 */
export function watchForDoubt(clock: Clock): () => boolean {
  let ahead = aheadOf(clock)
  let doubtedUntil = -Infinity
  return () => {
    const before = ahead
    ahead = aheadOf(clock)
    if (ahead - before > jumpMs) doubtedUntil = clock.monotonic() + doubtMs
    else if (before - ahead > jumpMs) doubtedUntil = -Infinity
    return clock.monotonic() < doubtedUntil
  }
}
