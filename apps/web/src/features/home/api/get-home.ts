import { getHome } from '@batti/contracts'
import { useQuery } from '@tanstack/react-query'
import type { AnswerOf } from '@batti/client/request'
import { queryKeys } from '#web/lib/query-keys.ts'
import { useApi } from '#web/lib/services.ts'

export type HomeOverview = AnswerOf<typeof getHome>

/** Favourites, rooms, and how many switches there are. */
export function useHome() {
  const api = useApi()
  return useQuery({ queryKey: queryKeys.home, queryFn: ({ signal }) => api.call(getHome, { signal }) })
}
