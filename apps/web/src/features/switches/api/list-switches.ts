import { listSwitches, type SwitchRecord } from '@batti/contracts'
import { useQuery } from '@tanstack/react-query'
import { queryKeys } from '#web/lib/query-keys.ts'
import { useApi } from '#web/lib/services.ts'

/**
 * Queries the signed-in person's switches: all of them, as a hundred boards have more than one page of the list. (For
 * staff `data` is the bare list.)
 */
export function useSwitches() {
  const api = useApi()
  return useQuery({
    queryKey: queryKeys.mySwitches,
    queryFn: async ({ signal }): Promise<readonly SwitchRecord[]> => {
      const { switches, limit, totalPages } = await api.call(listSwitches, { signal })
      const further = Array.from({ length: totalPages - 1 }, async (_, index) => {
        const page = await api.call(listSwitches, { query: { page: index + 2, limit }, signal })
        return page.switches
      })
      return [switches, ...(await Promise.all(further))].flat()
    }
  })
}
