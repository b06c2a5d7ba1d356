import { updateDevice } from '@batti/contracts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { readAgain } from '#web/lib/api/after-write.ts'
import { queryKeys, roomViews } from '#web/lib/query-keys.ts'
import { useApi } from '#web/lib/services.ts'
import type { DeviceChanges } from '#web/features/devices/device-form.ts'
import { deviceKey } from './get-device.ts'
import type { DeviceList } from './list-devices.ts'

/** Changes the owner's settings of a board. Colour and Wi-Fi are also sent to the board. */
export function useUpdateDevice() {
  const api = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ id, changes }: { id: string; changes: DeviceChanges }) =>
      api.call(updateDevice, { params: { id }, body: changes }),
    onSuccess: (record) => {
      queryClient.setQueryData(deviceKey(record._id), record)
      queryClient.setQueryData<DeviceList>(
        queryKeys.devices,
        (list) =>
          list && { ...list, devices: list.devices.map((device) => (device._id === record._id ? record : device)) }
      )
    },
    onSettled: (_, error, { id }) =>
      readAgain(queryClient, [...roomViews, ...(error === null ? [] : [deviceKey(id)])], error)
  })
}
