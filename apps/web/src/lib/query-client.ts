import { QueryClient } from '@tanstack/react-query'
import { ApiError, isCancelled } from './api/api-error.ts'

/**
 * Returns whether to retry a failed query at once: never a refusal, but a missing answer, except one that timed out,
 * which is reported first.
 */
export function isWorthRetrying(failures: number, error: Error): boolean {
  if (isCancelled(error) || failures >= 2) return false
  if (!(error instanceof ApiError)) return true
  return error.code !== 'LATE' && (error.status === 0 || error.status >= 500)
}

/**
 * Creates the cache of the server's answers. Without a network, calls fail at once instead of waiting: a paused write
 * would run after its dialog was discarded, and a paused read would show a skeleton forever.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: { staleTime: 15_000, retry: isWorthRetrying, networkMode: 'always', refetchOnReconnect: true },
      mutations: { retry: false, networkMode: 'always' }
    }
  })
}
