import type { DeviceLive } from '#web/lib/live/device-live.ts'
import { countOutlets, type OutletCounts } from '#web/lib/live/outlet-view.ts'

/**
 * How many switches of the home are on, off and unknown, or null while the page cannot know: before the boards' states
 * are there, and while it is not connected.
 */
export function countLit(lives: readonly (DeviceLive | undefined)[]): OutletCounts | null {
  const known = lives.filter((live) => live?.isFresh === true)
  return known.length < lives.length ? null : countOutlets(known.filter((live) => live !== undefined))
}
