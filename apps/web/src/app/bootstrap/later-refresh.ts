import type { QueryClient, QueryKey } from '@tanstack/react-query'
import type { Timers } from '@batti/kit/clock'

/**
 * Invalidates queries after a delay, once for all requests until then. Boards notify the screens before their rows are
 * stored, and switching a whole room sends many events at once.
 */
export function createLaterRefresh(
  queryClient: Pick<QueryClient, 'invalidateQueries'>,
  clock: Timers,
  afterMs: number
) {
  const wanted = new Map<string, QueryKey>()
  let cancel: (() => void) | null = null
  const run = () => {
    cancel = null
    const keys = [...wanted.values()]
    wanted.clear()
    for (const queryKey of keys) void queryClient.invalidateQueries({ queryKey })
  }
  return {
    ask: (keys: readonly QueryKey[]) => {
      for (const key of keys) wanted.set(JSON.stringify(key), key)
      cancel ??= clock.after(afterMs, run)
    },
    stop: () => cancel?.()
  }
}
