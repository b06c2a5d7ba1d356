import { replaceEqualDeep, type QueryClient, type QueryFilters } from '@tanstack/react-query'

/**
 * Changes what is cached of queries. Unlike an answer of the server it leaves them as old, outdated or failed as they
 * were: a board reports every minute, and its lists would never be fetched again.
 */
export function patchCached<Data>(queryClient: QueryClient, filters: QueryFilters, patch: (data: Data) => Data): void {
  for (const [queryKey, data] of queryClient.getQueriesData<Data | null>(filters)) {
    if (data === undefined || data === null) continue
    const patched = replaceEqualDeep(data, patch(data))
    if (patched !== data) queryClient.getQueryCache().find({ queryKey })?.setState({ data: patched })
  }
}
