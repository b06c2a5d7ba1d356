import type { DeviceLive } from '#web/lib/live/device-live.ts'
import { litCount } from '#web/lib/live/outlet-view.ts'

/**
 * How many switches are on in all, or null while the page cannot know: before the boards' states are there, and while it
 * is not connected.
 */
export function countLit(lives: readonly (DeviceLive | undefined)[]): number | null {
  let lit = 0
  for (const live of lives) {
    if (live === undefined || !live.isFresh) return null
    lit += litCount(live)
  }
  return lit
}
