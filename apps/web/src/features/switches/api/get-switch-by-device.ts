import { getSwitchByDevice } from '@batti/contracts'
import { useQuery } from '@tanstack/react-query'
import { queryKeys } from '#web/lib/query-keys.ts'
import { useApi } from '#web/lib/services.ts'

export const switchByDeviceKey = (deviceId: string, index: number) =>
  [...queryKeys.switches, 'by-device', deviceId, index] as const

/** Queries the record of one outlet: its name and whether it is a favourite. */
export function useSwitchByDevice(deviceId: string, index: number) {
  const api = useApi()
  return useQuery({
    queryKey: switchByDeviceKey(deviceId, index),
    queryFn: ({ signal }) => api.call(getSwitchByDevice, { params: { deviceId, index }, signal })
  })
}
