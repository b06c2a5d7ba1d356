import { getFleet } from '@batti/contracts'
import { useQuery } from '@tanstack/react-query'
import { queryKeys } from './query-keys.ts'
import { useApi, useUser } from './services.ts'

/** All boards in figures; asked for only where the person may see them. */
export function useFleet() {
  const api = useApi()
  const user = useUser()
  return useQuery({
    queryKey: queryKeys.fleet,
    queryFn: ({ signal }) => api.call(getFleet, { signal }),
    enabled: user?.role === 'admin' || user?.permissions.includes('view devices') === true
  })
}
