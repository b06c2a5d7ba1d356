import { deleteRoom } from '@batti/contracts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { roomViews } from '#web/lib/query-keys.ts'
import { useApi } from '#web/lib/services.ts'

/** Deletes a room; its boards go to `moveTo`, or to no room. */
export function useDeleteRoom() {
  const api = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ id, moveTo }: { id: string; moveTo: string | null }) =>
      api.call(deleteRoom, { params: { id }, query: moveTo === null ? {} : { moveTo } }),
    onSuccess: () => Promise.all(roomViews.map((queryKey) => queryClient.invalidateQueries({ queryKey })))
  })
}
