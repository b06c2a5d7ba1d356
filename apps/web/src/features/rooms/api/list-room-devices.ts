import { listDevicesByRoom } from '@batti/contracts'
import { useQuery } from '@tanstack/react-query'
import { queryKeys } from '#web/lib/query-keys.ts'
import { useServices } from '#web/lib/services.ts'

/** Queries the boards of one room; the answer also seeds their live state. */
export function useRoomDevices(roomId: string) {
  const { api, live } = useServices()
  return useQuery({
    queryKey: [...queryKeys.devices, 'by-room', roomId],
    queryFn: async ({ signal }) => {
      const list = await api.call(listDevicesByRoom, { params: { roomId }, signal })
      live.seed(list.devices)
      return list
    }
  })
}
