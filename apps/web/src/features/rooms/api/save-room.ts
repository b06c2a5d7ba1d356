import { createRoom, updateRoom } from '@batti/contracts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { roomViews } from '#web/lib/query-keys.ts'
import { useApi } from '#web/lib/services.ts'

/** Adds a room, or renames the one of that id. */
export function useSaveRoom() {
  const api = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ id, roomName }: { id: string | null; roomName: string }) =>
      id === null
        ? api.call(createRoom, { body: { roomName } })
        : api.call(updateRoom, { params: { id }, body: { roomName } }),
    onSuccess: () => Promise.all(roomViews.map((queryKey) => queryClient.invalidateQueries({ queryKey })))
  })
}
