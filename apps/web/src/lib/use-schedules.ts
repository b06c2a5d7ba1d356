import { listSchedules, type ScheduleRecord } from '@batti/contracts'
import { useQuery } from '@tanstack/react-query'
import { isCancelled } from '#web/lib/api/api-error.ts'
import { queryKeys } from '#web/lib/query-keys.ts'
import { useServices } from '#web/lib/services.ts'

/** The signed-in person's schedules. A failure is logged; the screen offers to try again besides. */
export function useSchedules() {
  const { api, logError } = useServices()
  return useQuery({
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
}
