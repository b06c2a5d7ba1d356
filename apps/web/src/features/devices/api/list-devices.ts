import { listDevices } from '@batti/contracts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useServices, type Services } from '#web/lib/services.ts'
import { queryKeys } from '#web/lib/query-keys.ts'
import type { AnswerOf } from '@batti/client/request'

export type DeviceList = AnswerOf<typeof listDevices>

/** The caller's boards. The answer also seeds their live state. */
export const devicesQuery = ({ api, live }: Pick<Services, 'api' | 'live'>) =>
  queryOptions({
    queryKey: queryKeys.devices,
    queryFn: async ({ signal }) => {
      const list = await api.call(listDevices, { signal })
      live.seed(list.devices)
      return list
    }
  })

export const useDevices = () => useQuery(devicesQuery(useServices()))

/** Returns the time zone of a board; undefined while it is unknown. */
export function useZoneOf(deviceId: string | undefined): string | undefined {
  const { data } = useDevices()
  return data?.devices.find(({ _id }) => _id === deviceId)?.timezone
}
