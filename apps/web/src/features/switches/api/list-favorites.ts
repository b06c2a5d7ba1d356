import { listFavoriteSwitches, type SwitchRecord } from '@batti/contracts'
import { useQuery } from '@tanstack/react-query'
import { queryKeys } from '#web/lib/query-keys.ts'
import { useApi } from '#web/lib/services.ts'

/** Queries the favourite switches of the signed-in person. */
export function useFavorites() {
  const api = useApi()
  return useQuery({
    queryKey: queryKeys.favoriteSwitches,
    queryFn: async ({ signal }): Promise<readonly SwitchRecord[]> =>
      (await api.call(listFavoriteSwitches, { signal })).switches
  })
}
