import { createRoom, updateRoom, type RoomRecord } from '@batti/contracts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { readAgain } from '#web/lib/api/after-write.ts'
import { useMakeOnce } from '#web/lib/api/use-make-once.ts'
import { roomViews } from '#web/lib/query-keys.ts'
import { useServices } from '#web/lib/services.ts'
import { roomsQuery } from './list-rooms.ts'

/** Case-insensitive, as people could not tell two such rooms apart. */
export const isCalled = (room: Pick<RoomRecord, 'roomName'>, name: string): boolean =>
  room.roomName.toLocaleLowerCase() === name.toLocaleLowerCase()

/** Creates a room, or renames the one with the given id. */
export function useSaveRoom() {
  const services = useServices()
  const { api } = services
  const queryClient = useQueryClient()
  const create = useMakeOnce(
    (roomName: string) => api.call(createRoom, { body: { roomName } }),
    async (roomName) =>
      (await queryClient.fetchQuery({ ...roomsQuery(services), staleTime: 0 })).rooms.find((room) =>
        isCalled(room, roomName)
      )
  )
  return useMutation({
    mutationFn: ({ id, roomName }: { id: string | null; roomName: string }) =>
      id === null ? create(roomName) : api.call(updateRoom, { params: { id }, body: { roomName } }),
    onSettled: (_, error) => readAgain(queryClient, roomViews, error)
  })
}
