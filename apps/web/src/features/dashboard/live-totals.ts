import type { DeviceLive } from '#web/lib/live/device-live.ts'
import { countOutlets, type OutletCounts } from '#web/lib/live/outlet-view.ts'
import type { Dashboard } from './api/get-dashboard.ts'

export interface LiveTotals {
  onlineDevices: number
  /** Null while the page cannot know. */
  switchState: OutletCounts | null
}

/**
 * What changes by the second, from the boards themselves once their states are here; before that, and where a board is
 * missing among them, the server's numbers. A page that is not connected knows nothing of what is on.
 */
export function liveTotals(dashboard: Dashboard, lives: readonly (DeviceLive | undefined)[]): LiveTotals {
  const known = lives.filter((live) => live !== undefined)
  if (known.length < dashboard.totalDevices)
    return { onlineDevices: dashboard.onlineDevices, switchState: { ...dashboard.switchState, unknown: 0 } }
  const onlineDevices = known.filter(({ isOnline }) => isOnline).length
  if (known.some(({ isFresh }) => !isFresh)) return { onlineDevices, switchState: null }
  return { onlineDevices, switchState: countOutlets(known) }
}
