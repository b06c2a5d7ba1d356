import type { DeviceUpdateEvent, SwitchRecord } from '@batti/contracts'
import type { QueryClient } from '@tanstack/react-query'
import type { Dashboard } from '#web/features/dashboard/api/get-dashboard.ts'
import type { HomeOverview } from '#web/features/home/api/get-home.ts'
import { applyDeviceUpdate } from '#web/features/switches/api/apply-update-from-device.ts'
import { queryKeys } from '#web/lib/query-keys.ts'

/** Applies a board's new name or room to every list that shows its switches. */
export function patchSwitchViews(queryClient: QueryClient, event: DeviceUpdateEvent): void {
  type Switches = readonly SwitchRecord[]
  for (const queryKey of [queryKeys.mySwitches, queryKeys.favoriteSwitches]) {
    queryClient.setQueryData<Switches>(queryKey, (list) => list && applyDeviceUpdate(list, event))
  }
  queryClient.setQueriesData<SwitchRecord>(
    { queryKey: queryKeys.switchById },
    (record) => record && (applyDeviceUpdate([record], event)[0] ?? record)
  )
  queryClient.setQueryData<HomeOverview>(
    queryKeys.home,
    (home) => home && { ...home, favoriteSwitches: [...applyDeviceUpdate(home.favoriteSwitches, event)] }
  )
  queryClient.setQueryData<Dashboard | null>(
    queryKeys.dashboard,
    (dashboard) =>
      dashboard && {
        ...dashboard,
        favoriteSwitchesDetails: [...applyDeviceUpdate(dashboard.favoriteSwitchesDetails, event)]
      }
  )
}
