import type { QueryClient } from '@tanstack/react-query'
import { ApiError } from '#web/lib/api/api-error.ts'
import type { Connection } from '#web/lib/socket/connection.ts'

/** No answer came, or that of a proxy for a server that is gone. */
const isUnanswered = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 0 || error.status > 500)

/**
 * Reconnects at once when the server answers the first query after one that it did not answer: the connection may rest for
 * half a minute between its rounds of attempts. Returns a function that ends this.
 */
export function reconnectWhenAnswered(queryClient: QueryClient, connection: Pick<Connection, 'reconnect'>): () => void {
  let isServerGone = false
  return queryClient.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated') return
    const { action } = event
    if (action.type === 'failed' || action.type === 'error') isServerGone ||= isUnanswered(action.error)
    // A `manual` success is data that the page itself wrote into the cache.
    if (action.type !== 'success' || action.manual === true || !isServerGone) return
    isServerGone = false
    connection.reconnect()
  })
}
