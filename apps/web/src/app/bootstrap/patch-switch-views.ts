import type { DeviceUpdateEvent, SwitchRecord } from '@batti/contracts'
import type { QueryClient } from '@tanstack/react-query'
import type { Dashboard } from '#web/features/dashboard/api/get-dashboard.ts'
import type { HomeOverview } from '#web/features/home/api/get-home.ts'
import { applyDeviceUpdate } from '#web/features/switches/api/apply-update-from-device.ts'
import { queryKeys } from '#web/lib/query-keys.ts'
import { patchCached } from './patch-cached.ts'

/** Applies a board's new name or room to every list that shows its switches. */
export function patchSwitchViews(queryClient: QueryClient, event: DeviceUpdateEvent): void {
  type Switches = readonly SwitchRecord[]
  for (const queryKey of [queryKeys.mySwitches, queryKeys.favoriteSwitches]) {
    patchCached<Switches>(queryClient, { queryKey, exact: true }, (list) => applyDeviceUpdate(list, event))
  }
  patchCached<SwitchRecord>(
    queryClient,
    { queryKey: queryKeys.switchById },
    (record) => applyDeviceUpdate([record], event)[0] ?? record
  )
  patchCached<HomeOverview>(queryClient, { queryKey: queryKeys.home, exact: true }, (home) => ({
    ...home,
    favoriteSwitches: [...applyDeviceUpdate(home.favoriteSwitches, event)]
  }))
  patchCached<Dashboard>(queryClient, { queryKey: queryKeys.dashboard, exact: true }, (dashboard) => ({
    ...dashboard,
    favoriteSwitchesDetails: [...applyDeviceUpdate(dashboard.favoriteSwitchesDetails, event)]
  }))
}
