import { listSessions } from '@batti/contracts'
import { useQuery } from '@tanstack/react-query'
import { useApi } from '#web/lib/services.ts'

export const sessionsKey = ['account-sessions'] as const

/** Queries the sessions of this account: this one first, then the latest used. */
export function useSessions() {
  const api = useApi()
  return useQuery({
    queryKey: sessionsKey,
    queryFn: async ({ signal }) => {
      const { sessions } = await api.call(listSessions, { signal })
      return sessions.toSorted(
        (a, b) => Number(b.current) - Number(a.current) || b.lastUsedAt.localeCompare(a.lastUsedAt)
      )
    }
  })
}
