import type { Timers } from '@batti/kit/clock'

/** The part of an engine.io connection that this looks at. */
export interface ReaderConnection {
  readonly transport: { readonly socket?: { readonly bufferedAmount?: number } }
  close(discard?: boolean): void
}

const frozenAfterMs = 10_000
const lookEveryMs = 2000
const backlogMaxBytes = 4 * 1024 * 1024

/**
 * Ends connections whose reader takes nothing: what is sent to them only piles up, and the ping finds out after half a
 * minute. Frozen is who has bytes waiting and takes none of them for 10 s. Answers its undo.
 */
export function dropFrozenReaders(connections: () => Iterable<ReaderConnection>, timers: Timers): () => void {
  let stuck = new Map<ReaderConnection, { waiting: number; since: number }>()

  function look(): void {
    const now = timers.monotonic()
    const still: typeof stuck = new Map()
    for (const connection of connections()) {
      const waiting = connection.transport.socket?.bufferedAmount ?? 0
      if (waiting === 0) continue
      const before = stuck.get(connection)
      const since = before === undefined || waiting < before.waiting ? now : before.since
      if (now - since >= frozenAfterMs || waiting > backlogMaxBytes) connection.close(true)
      else still.set(connection, { waiting, since })
    }
    stuck = still
    cancel = timers.after(lookEveryMs, look)
  }

  let cancel = timers.after(lookEveryMs, look)
  return () => cancel()
}
