import type { QueryClient, QueryKey } from '@tanstack/react-query'
import type { Timers } from '@batti/kit/clock'
import { readChanged } from '#web/lib/api/read-changed.ts'

/**
 * Invalidates queries after a delay, once for all requests until then. Boards notify the screens before their rows are
 * stored, and switching a whole room sends many events at once. While answers are pending it waits for them: a refetch
 * cancels the one before it, so that on a slow line frequent events would never let one finish.
 */
export function createLaterRefresh(queryClient: QueryClient, clock: Timers, afterMs: number) {
  const wanted = new Map<string, QueryKey>()
  let cancel: (() => void) | null = null
  const run = async () => {
    const keys = [...wanted.values()]
    wanted.clear()
    await Promise.all(keys.map((queryKey) => readChanged(queryClient, { queryKey })))
    cancel = null
    if (wanted.size > 0) begin()
  }
  const begin = () => (cancel ??= clock.after(afterMs, () => void run()))
  return {
    ask: (keys: readonly QueryKey[]) => {
      for (const key of keys) wanted.set(JSON.stringify(key), key)
      begin()
    },
    stop: () => {
      wanted.clear()
      cancel?.()
    }
  }
}
