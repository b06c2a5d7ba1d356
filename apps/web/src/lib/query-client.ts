import { QueryClient } from '@tanstack/react-query'
import { ApiError, isCancelled } from './api/api-error.ts'

/**
 * Tells whether a failed query is worth another try at once: a refusal stays one, a missing answer may come. One that was
 * awaited long enough is told first.
 */
export function isWorthRetrying(failures: number, error: Error): boolean {
  if (isCancelled(error) || failures >= 2) return false
  if (!(error instanceof ApiError)) return true
  return error.code !== 'LATE' && (error.status === 0 || error.status >= 500)
}

/**
 * The cache of what the server said. Calls are made at once or fail at once, also without a network: what waited for one
 * would still be done after its dialog was discarded, and what only reads would show a skeleton for ever.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: { staleTime: 15_000, retry: isWorthRetrying, networkMode: 'always', refetchOnReconnect: true },
      mutations: { retry: false, networkMode: 'always' }
    }
  })
}
