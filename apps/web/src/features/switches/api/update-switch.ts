import { updateSwitch } from '@batti/contracts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { readAgain } from '#web/lib/api/after-write.ts'
import { useApi } from '#web/lib/services.ts'
import { switchViews } from '#web/lib/query-keys.ts'
import { switchByDeviceKey } from './get-switch-by-device.ts'

/** Renames a switch, or changes whether it is a favourite. */
export function useUpdateSwitch() {
  const api = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ id, ...body }: { id: string; switchName?: string; isFavorite?: boolean }) =>
      api.call(updateSwitch, { params: { id }, body }),
    onSuccess: (record) =>
      void queryClient.setQueryData(switchByDeviceKey(record.deviceId, record.switchIndex), record),
    onSettled: (_, error) => readAgain(queryClient, switchViews, error)
  })
}
