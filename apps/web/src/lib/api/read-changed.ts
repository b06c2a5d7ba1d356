import type { InvalidateQueryFilters, QueryClient } from '@tanstack/react-query'

/**
 * Reads again what is shown of these queries. A first read that is on its way may have been answered before the change, and
 * the cache does not begin it anew: it is followed by another.
 */
export async function readChanged(queryClient: QueryClient, filters: InvalidateQueryFilters): Promise<void> {
  const first = queryClient
    .getQueryCache()
    .findAll({ ...filters, fetchStatus: 'fetching' })
    .filter(({ state }) => state.data === undefined)
  await queryClient.invalidateQueries(filters)
  const older = new Set(first.filter(({ state }) => state.data !== undefined))
  if (older.size > 0) await queryClient.invalidateQueries({ predicate: (query) => older.has(query) })
}
