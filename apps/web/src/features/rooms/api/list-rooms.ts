import { listRooms } from '@batti/contracts'
import { useQuery } from '@tanstack/react-query'
import { isCancelled } from '#web/lib/api/api-error.ts'
import { queryKeys } from '#web/lib/query-keys.ts'
import { useServices } from '#web/lib/services.ts'

/** The signed-in person's rooms. A failure is logged; the screen offers to try again besides. */
export function useRooms() {
  const { api, logError } = useServices()
  return useQuery({
    queryKey: queryKeys.rooms,
    queryFn: async ({ signal }) => {
      try {
        return await api.call(listRooms, { signal })
      } catch (error) {
        if (!isCancelled(error)) logError(error)
        throw error
      }
    }
  })
}
