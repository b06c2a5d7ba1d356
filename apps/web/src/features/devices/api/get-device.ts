import { getDevice, type DeviceRecord } from '@batti/contracts'
import { useQuery } from '@tanstack/react-query'
import { useServices } from '#web/lib/services.ts'

// Not below the lists' key, so that patches of lists do not match a single record.
export const deviceKey = (id: string) => ['device', id] as const
const lookAgainMs = 2000

/** Returns whether the board has applied the settings that were sent to it. */
export const hasTakenSettings = ({ configRev, configConfirmedRev }: DeviceRecord): boolean =>
  configConfirmedRev >= configRev

/** Queries one board, repeatedly until the board has confirmed its settings. The answer also seeds its live state. */
export function useDevice(id: string) {
  const { api, live } = useServices()
  return useQuery({
    queryKey: deviceKey(id),
    queryFn: async ({ signal }) => {
      const record = await api.call(getDevice, { params: { id }, signal })
      live.seed([record])
      return record
    },
    refetchInterval: ({ state }) => (state.data !== undefined && !hasTakenSettings(state.data) ? lookAgainMs : false)
  })
}
