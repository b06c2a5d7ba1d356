import { listSwitches, type SwitchRecord } from '@batti/contracts'
import { useQuery } from '@tanstack/react-query'
import { queryKeys } from '#web/lib/query-keys.ts'
import { useApi } from '#web/lib/services.ts'

/** Queries the signed-in person's switches. (For staff `data` is the bare list.) */
export function useSwitches() {
  const api = useApi()
  return useQuery({
    queryKey: queryKeys.mySwitches,
    queryFn: async ({ signal }): Promise<readonly SwitchRecord[]> => (await api.call(listSwitches, { signal })).switches
  })
}
