import { listRooms } from '@batti/contracts'
import { useQuery } from '@tanstack/react-query'
import { queryKeys } from '#web/lib/query-keys.ts'
import { useApi } from '#web/lib/services.ts'

/** Queries the rooms of a board's owner; disabled without an owner. */
export function useRoomsOf(ownerId: string) {
  const api = useApi()
  return useQuery({
    queryKey: [...queryKeys.rooms, 'of', ownerId],
    queryFn: async ({ signal }) =>
      (await api.call(listRooms, { query: { userId: ownerId, limit: 500 }, signal })).rooms,
    enabled: ownerId !== ''
  })
}
