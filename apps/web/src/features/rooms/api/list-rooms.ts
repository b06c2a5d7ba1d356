import { listRooms } from '@batti/contracts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { isCancelled } from '#web/lib/api/api-error.ts'
import { queryKeys } from '#web/lib/query-keys.ts'
import { useServices, type Services } from '#web/lib/services.ts'

/** Queries the signed-in person's rooms. A failure is logged; the screen also offers a retry. */
export const roomsQuery = ({ api, logError }: Pick<Services, 'api' | 'logError'>) =>
  queryOptions({
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

export const useRooms = () => useQuery(roomsQuery(useServices()))
