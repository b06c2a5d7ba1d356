import { listActionLogs, type ActionLogRecord } from '@batti/contracts'
import { useInfiniteQuery, type InfiniteData } from '@tanstack/react-query'
import { queryKeys } from '#web/lib/query-keys.ts'
import { useServices } from '#web/lib/services.ts'
import { joinPages, type LogPage } from '#web/features/action-logs/join-pages.ts'
import { periodOf, type LogFilters } from '#web/features/action-logs/log-filters.ts'

const pageSize = 50
/** By the signal of a refetch: the pages that it does not request again. */
const joined = new WeakMap<AbortSignal, readonly LogPage[]>()

/**
 * Queries the action log page by page, newest first; a row that moved to the next page meanwhile is shown once. A
 * refetch requests the first page only, if the others join it. With
 * `isWhy` (why is a switch in its state) a cached answer is not enough: the log is refetched, and `isAnswered` tells
 * when it is there.
 */
export function useLogs(filters: LogFilters, isWhy = false) {
  const { api, serverTime } = useServices()
  return useInfiniteQuery({
    queryKey: [...queryKeys.actionLogs, filters],
    initialPageParam: 1,
    refetchOnMount: isWhy ? 'always' : true,
    queryFn: async ({ pageParam, signal, client, queryKey }): Promise<LogPage> => {
      const kept = joined.get(signal)?.[pageParam - 1]
      if (kept !== undefined) return kept
      const { switchId, from, day } = filters
      const query = {
        limit: pageSize,
        ...(switchId !== null && { switchId }),
        ...(from !== null && { from }),
        ...periodOf(day, serverTime.now())
      }
      const read = (page: number) => api.call(listActionLogs, { query: { ...query, page }, signal })
      const page = await read(pageParam)
      const before = client.getQueryData<InfiniteData<LogPage>>(queryKey)?.pages ?? []
      const last = before.at(-1)
      if (before.length === pageParam - 1 && last !== undefined && page.total < last.total) {
        // Rows have gone since the last page was read, so the first of the next rows are now on that page.
        const { logs } = await read(pageParam - 1)
        return { ...page, logs: [...logs, ...page.logs] }
      }
      const whole = pageParam === 1 ? joinPages(page, before, pageSize) : null
      if (whole !== null) joined.set(signal, whole)
      return whole?.[0] ?? page
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
