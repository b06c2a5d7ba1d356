import { getFleet, type FleetRecord } from '@batti/contracts'
import { useQuery } from '@tanstack/react-query'
import { queryKeys } from '../query-keys.ts'
import { useApi, useUser } from '../services.ts'
import { maySeeFleet } from '../session/session-user.ts'

/** Queries the counts of all boards, if the person may see them. */
export function useFleet() {
  const api = useApi()
  const user = useUser()
  return useQuery({
    queryKey: queryKeys.fleet,
    queryFn: ({ signal }) => api.call(getFleet, { signal }),
    enabled: user !== null && maySeeFleet(user)
  })
}

/** Counts the boards that run an image, of every model if it names none. */
export function boardsOn(
  versions: FleetRecord['versions'],
  image: { version: string; hwModel: string | null }
): number {
  return versions
    .filter(
      ({ osVersion, hwModel }) => osVersion === image.version && (image.hwModel === null || hwModel === image.hwModel)
    )
    .reduce((sum, { count }) => sum + count, 0)
}
