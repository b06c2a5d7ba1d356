import { getDashboard, userDashboard } from '@batti/contracts'
import { useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import { queryKeys } from '#web/lib/query-keys.ts'
import { useApi } from '#web/lib/services.ts'

export type Dashboard = z.infer<typeof userDashboard>

/** Queries a user's totals; null when the answer has none, as for other roles. */
export function useDashboard() {
  const api = useApi()
  return useQuery({
    queryKey: queryKeys.dashboard,
    queryFn: async ({ signal }): Promise<Dashboard | null> => {
      const parsed = userDashboard.safeParse(await api.call(getDashboard, { signal }))
      return parsed.success ? parsed.data : null
    }
  })
}
