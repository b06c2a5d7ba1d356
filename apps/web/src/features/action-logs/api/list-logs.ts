import { listActionLogs, type ActionLogRecord } from '@batti/contracts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { queryKeys } from '#web/lib/query-keys.ts'
import { useServices } from '#web/lib/services.ts'
import { periodOf, type LogFilters } from '#web/features/action-logs/log-filters.ts'

const pageSize = 50

/**
 * The action log, newest first, page by page; a row that moved to the next page while somebody read is shown once. Who asks
 * why a switch is as it is (`isWhy`) must not be answered from earlier: the log is asked anew, and `isAnswered` tells when
 * that has come.
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

/** Whether the log was read since it was asked for here, and not only earlier. */
export const isAnswered = ({ isSuccess, isFetchedAfterMount }: ReturnType<typeof useLogs>): boolean =>
  isSuccess && isFetchedAfterMount

function eachOnce(rows: readonly ActionLogRecord[]): ActionLogRecord[] {
  return [...new Map(rows.map((row) => [row._id, row])).values()]
}
