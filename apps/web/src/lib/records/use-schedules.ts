import { listSchedules, type ScheduleRecord } from '@batti/contracts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { isCancelled } from '#web/lib/api/api-error.ts'
import { queryKeys } from '#web/lib/query-keys.ts'
import { useServices, type Services } from '#web/lib/services.ts'

/** Queries the signed-in person's schedules. A failure is logged; the screen also offers a retry. */
export const schedulesQuery = ({ api, logError }: Pick<Services, 'api' | 'logError'>) =>
  queryOptions({
    queryKey: queryKeys.schedules,
    queryFn: async ({ signal }): Promise<readonly ScheduleRecord[]> => {
      try {
        return (await api.call(listSchedules, { signal })).schedules
      } catch (error) {
        if (!isCancelled(error)) logError(error)
        throw error
      }
    }
  })

export const useSchedules = () => useQuery(schedulesQuery(useServices()))
