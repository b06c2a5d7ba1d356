import { getSwitch } from '@batti/contracts'
import { useQuery } from '@tanstack/react-query'
import { queryKeys } from '#web/lib/query-keys.ts'
import { useApi } from '#web/lib/services.ts'

export function useSwitch(id: string) {
  const api = useApi()
  return useQuery({
    queryKey: [...queryKeys.switchById, id],
    queryFn: ({ signal }) => api.call(getSwitch, { params: { id }, signal })
  })
}
