import type { DeviceLive } from '#web/lib/live/device-live.ts'
import { countOutlets, type OutletCounts } from '#web/lib/live/outlet-view.ts'
import type { Dashboard } from './api/get-dashboard.ts'

export interface LiveTotals {
  onlineDevices: number
  /** Null while it is unknown. */
  switchState: OutletCounts | null
}

/**
 * Returns the totals that change by the second, from the boards' live states once all of them are known; until then the
 * server's numbers. Without a connection it is unknown what is on.
 */
export function liveTotals(dashboard: Dashboard, lives: readonly (DeviceLive | undefined)[]): LiveTotals {
  const known = lives.filter((live) => live !== undefined)
  if (known.length < dashboard.totalDevices)
    return { onlineDevices: dashboard.onlineDevices, switchState: { ...dashboard.switchState, unknown: 0 } }
  const onlineDevices = known.filter(({ isOnline }) => isOnline).length
  if (known.some(({ isFresh }) => !isFresh)) return { onlineDevices, switchState: null }
  return { onlineDevices, switchState: countOutlets(known) }
}
