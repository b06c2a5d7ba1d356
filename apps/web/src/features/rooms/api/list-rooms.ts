import { listRooms } from '@batti/contracts'
import { useQuery } from '@tanstack/react-query'
import type { AnswerOf } from '../../../lib/api/request.ts'
import { isCancelled } from '../../../lib/api/api-error.ts'
import { queryKeys } from '../../../lib/query-keys.ts'
import { useServices } from '../../../lib/services.ts'

export type RoomList = AnswerOf<typeof listRooms>

/** The signed-in person's rooms. A failure is logged, as operations §8 has it; the screen offers to try again besides. */
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
