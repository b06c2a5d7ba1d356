import type { Timers } from '@batti/kit/clock'
import type { Socket } from 'node:net'

/** The parts of an engine.io connection that are used here. */
export interface ReaderConnection {
  readonly request: { readonly socket: Pick<Socket, 'bytesWritten' | 'writableLength'> }
  close(discard?: boolean): void
}

const frozenAfterMs = 10_000
const lookEveryMs = 2000
const backlogMaxBytes = 4 * 1024 * 1024

/**
 * Closes connections whose client has stopped reading: their send buffers only grow, and the ping would notice after half
 * a minute. A connection counts as frozen when bytes wait in its buffer and none leave it for 10 s. Returns a function that
 * stops the check.
 */
export function dropFrozenReaders(connections: () => Iterable<ReaderConnection>, timers: Timers): () => void {
  let stuck = new Map<ReaderConnection, { sent: number; since: number }>()

  function look(): void {
    const now = timers.monotonic()
    const still: typeof stuck = new Map()
    for (const connection of connections()) {
      const { bytesWritten, writableLength: waiting } = connection.request.socket
      if (waiting === 0) continue
      // Of a busy connection the same few bytes may wait at each look, but others have left.
      const sent = bytesWritten - waiting
      const before = stuck.get(connection)
      const since = before?.sent === sent ? before.since : now
      if (now - since >= frozenAfterMs || waiting > backlogMaxBytes) connection.close(true)
      else still.set(connection, { sent, since })
    }
    stuck = still
    cancel = timers.after(lookEveryMs, look)
  }

  let cancel = timers.after(lookEveryMs, look)
  return () => cancel()
}
