import { getHome } from '@batti/contracts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import type { AnswerOf } from '@batti/client/request'
import { queryKeys } from '#web/lib/query-keys.ts'
import { useServices, type Services } from '#web/lib/services.ts'

export type HomeOverview = AnswerOf<typeof getHome>

/** Favourites, rooms, and the number of switches. */
export const homeQuery = ({ api }: Pick<Services, 'api'>) =>
  queryOptions({ queryKey: queryKeys.home, queryFn: ({ signal }) => api.call(getHome, { signal }) })

export const useHome = () => useQuery(homeQuery(useServices()))
