import { deleteDevice } from '@batti/contracts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { deleting, readAgain } from '#web/lib/api/after-write.ts'
import { useApi } from '#web/lib/services.ts'
import { queryKeys } from '#web/lib/query-keys.ts'
import type { DeviceList } from './list-devices.ts'

/** Unclaims a board: it must be set up again. */
export function useDeleteDevice() {
  const api = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => deleting(api.call(deleteDevice, { params: { id } })),
    onSuccess: (_, id) =>
      void queryClient.setQueryData<DeviceList>(
        queryKeys.devices,
        (list) => list && { ...list, devices: list.devices.filter((device) => device._id !== id) }
      ),
    onSettled: (_, error) => readAgain(queryClient, [queryKeys.devices], error)
  })
}
