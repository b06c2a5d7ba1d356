import { listActionLogs, type ActionLogRecord } from '@batti/contracts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { queryKeys } from '#web/lib/query-keys.ts'
import { useServices } from '#web/lib/services.ts'
import { periodOf, type LogFilters } from '#web/features/action-logs/log-filters.ts'

const pageSize = 50

/** The action log, newest first, page by page; a row that moved to the next page while somebody read is shown once. */
export function useLogs(filters: LogFilters) {
  const { api, clock } = useServices()
  return useInfiniteQuery({
    queryKey: [...queryKeys.actionLogs, filters],
    initialPageParam: 1,
    queryFn: ({ pageParam, signal }) => {
      const { switchId, from, day } = filters
      const query = {
        page: pageParam,
        limit: pageSize,
        ...(switchId !== null && { switchId }),
        ...(from !== null && { from }),
        ...periodOf(day, clock.now())
      }
      return api.call(listActionLogs, { query, signal })
    },
    getNextPageParam: ({ page, totalPages }) => (page < totalPages ? page + 1 : null),
    select: ({ pages }) => ({ rows: eachOnce(pages.flatMap(({ logs }) => logs)), total: pages[0]?.total ?? 0 })
  })
}

function eachOnce(rows: readonly ActionLogRecord[]): ActionLogRecord[] {
  return [...new Map(rows.map((row) => [row._id, row])).values()]
}
