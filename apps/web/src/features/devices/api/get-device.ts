import { getDevice, type DeviceRecord } from '@batti/contracts'
import { useQuery } from '@tanstack/react-query'
import { useApi } from '#web/lib/services.ts'

// Not below the lists' key: what patches lists must not meet a single record.
export const deviceKey = (id: string) => ['device', id] as const
const lookAgainMs = 2000

/** Whether the board has taken the settings that were sent to it. */
export const hasTakenSettings = ({ configRev, configConfirmedRev }: DeviceRecord): boolean =>
  configConfirmedRev >= configRev

/** One board; asked for again and again until the board has confirmed its settings. */
export function useDevice(id: string) {
  const api = useApi()
  return useQuery({
    queryKey: deviceKey(id),
    queryFn: ({ signal }) => api.call(getDevice, { params: { id }, signal }),
    refetchInterval: ({ state }) => (state.data !== undefined && !hasTakenSettings(state.data) ? lookAgainMs : false)
  })
}
