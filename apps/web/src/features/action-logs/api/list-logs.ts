import { listActionLogs, type ActionLogRecord } from '@batti/contracts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { queryKeys } from '#web/lib/query-keys.ts'
import { useServices } from '#web/lib/services.ts'
import { periodOf, type LogFilters } from '#web/features/action-logs/log-filters.ts'

const pageSize = 50

/**
 * Queries the action log page by page, newest first; a row that moved to the next page meanwhile is shown once. With
 * `isWhy` (why is a switch in its state) a cached answer is not enough: the log is refetched, and `isAnswered` tells
 * when it is there.
 */
export function useLogs(filters: LogFilters, isWhy = false) {
  const { api, serverTime } = useServices()
  return useInfiniteQuery({
    queryKey: [...queryKeys.actionLogs, filters],
    initialPageParam: 1,
    refetchOnMount: isWhy ? 'always' : true,
    queryFn: ({ pageParam, signal }) => {
      const { switchId, from, day } = filters
      const query = {
        page: pageParam,
        limit: pageSize,
        ...(switchId !== null && { switchId }),
        ...(from !== null && { from }),
        ...periodOf(day, serverTime.now())
      }
      return api.call(listActionLogs, { query, signal })
    },
    getNextPageParam: ({ page, totalPages }) => (page < totalPages ? page + 1 : null),
    select: ({ pages }) => ({ rows: eachOnce(pages.flatMap(({ logs }) => logs)), total: pages[0]?.total ?? 0 })
  })
}

/** Returns whether the log was fetched since this component was mounted. */
export const isAnswered = ({ isSuccess, isFetchedAfterMount }: ReturnType<typeof useLogs>): boolean =>
  isSuccess && isFetchedAfterMount

function eachOnce(rows: readonly ActionLogRecord[]): ActionLogRecord[] {
  return [...new Map(rows.map((row) => [row._id, row])).values()]
}
