import type { Timers } from '@batti/kit/clock'

/** The parts of an engine.io connection that are used here. */
export interface ReaderConnection {
  readonly transport: { readonly socket?: { readonly bufferedAmount?: number } }
  close(discard?: boolean): void
}

const frozenAfterMs = 10_000
const lookEveryMs = 2000
const backlogMaxBytes = 4 * 1024 * 1024

/**
 * Closes connections whose client has stopped reading: their send buffers only grow, and the ping would notice after half
 * a minute. A connection counts as frozen when it has buffered bytes and none drain for 10 s. Returns a function that
 * stops the check.
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
