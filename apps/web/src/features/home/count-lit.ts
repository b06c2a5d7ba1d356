import type { DeviceLive } from '#web/lib/live/device-live.ts'
import { countOutlets, type OutletCounts } from '#web/lib/live/outlet-view.ts'

/**
 * Counts the home's switches that are on, off and unknown; null before all boards' states are known, and without a
 * connection.
 */
export function countLit(lives: readonly (DeviceLive | undefined)[]): OutletCounts | null {
  const known = lives.filter((live) => live?.isFresh === true)
  return known.length < lives.length ? null : countOutlets(known.filter((live) => live !== undefined))
}
