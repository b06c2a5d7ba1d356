import { deleteRoom } from '@batti/contracts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { isGone, readAgain } from '#web/lib/api/after-write.ts'
import { roomViews } from '#web/lib/query-keys.ts'
import { useServices } from '#web/lib/services.ts'
import { roomsQuery } from './list-rooms.ts'

/** Deletes a room; its boards move to `moveTo`, or to no room. Succeeds if the room no longer exists. */
export function useDeleteRoom() {
  const services = useServices()
  const { api } = services
  const queryClient = useQueryClient()
  const isThere = async (id: string) =>
    (await queryClient.fetchQuery({ ...roomsQuery(services), staleTime: 0 })).rooms.some(({ _id }) => _id === id)
  return useMutation({
    mutationFn: async ({ id, moveTo }: { id: string; moveTo: string | null }) => {
      try {
        await api.call(deleteRoom, { params: { id }, query: moveTo === null ? {} : { moveTo } })
      } catch (error) {
        // A 404 may also mean that the room `moveTo` no longer exists.
        if (!isGone(error) || (await isThere(id))) throw error
      }
    },
    onSettled: (_, error) => readAgain(queryClient, roomViews, error)
  })
}
