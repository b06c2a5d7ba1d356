import { minuteMs } from '@batti/kit/durations'
import { randomBytes } from 'node:crypto'
import { Long } from 'bson'
import { MongoError } from './errors.ts'
import type { Slice, Stream } from './storage/pause.ts'

/** A source of batches that stays open between `getMore`s. Items are BSON bytes. */
export interface OpenCursor {
  id: Long
  namespace: string
  session: string | null
  client: number
  /** Inside a transaction: the cursor ends with it. */
  transaction: object | null
  slice: Slice
  stream: Stream<Uint8Array>
  /** An item that did not fit the last batch. */
  held: Uint8Array | null
  /** Set for change streams, which wait for more items instead of ending. */
  tail: { wait(maxMs: number, signal: AbortSignal): Promise<void>; token(): unknown } | null
  noTimeout: boolean
  /** On the monotonic clock. */
  lastUsed: number
  busy: boolean
  onClose: () => void
}

export interface Cursors {
  open(cursor: Omit<OpenCursor, 'id' | 'lastUsed' | 'busy' | 'held'>): OpenCursor
  get(id: Long): OpenCursor | null
  touch(cursor: OpenCursor): void
  close(id: Long): boolean
  closeWhere(test: (cursor: OpenCursor) => boolean): void
  count(): number
  /** Closes cursors that were idle for ten minutes. */
  expire(): void
}

/** More open cursors than the programs of a home ever need. Beyond that opening one fails: a client leaks them. */
const MAX_CURSORS = 2000
const IDLE_MS = 10 * minuteMs

export function createCursors(monotonic: () => number): Cursors {
  const open = new Map<string, OpenCursor>()

  const newId = (): Long => {
    for (;;) {
      const id = Long.fromBigInt(randomBytes(8).readBigInt64LE() & 0x7fffffffffffffffn)
      if (!id.isZero() && !open.has(id.toString())) return id
    }
  }
  const close = (cursor: OpenCursor): void => {
    open.delete(cursor.id.toString())
    // A running stream cannot be ended here. Its command notices that the cursor is gone.
    if (!cursor.busy) cursor.stream.return(undefined)
    cursor.onClose()
  }

  return {
    open: (asked) => {
      if (open.size >= MAX_CURSORS) {
        const idle = [...open.values()]
          .filter(({ busy, tail }) => !busy && !tail)
          .toSorted((a, b) => a.lastUsed - b.lastUsed)[0]
        if (!idle || monotonic() - idle.lastUsed < 1000) {
          throw new MongoError(
            146,
            `Too many open cursors: ${MAX_CURSORS}. Close cursors that are not read to their end.`
          )
        }
        close(idle)
      }
      const cursor: OpenCursor = { ...asked, id: newId(), held: null, busy: false, lastUsed: monotonic() }
      open.set(cursor.id.toString(), cursor)
      return cursor
    },
    get: (id) => open.get(id.toString()) ?? null,
    touch: (cursor) => {
      cursor.lastUsed = monotonic()
    },
    close: (id) => {
      const cursor = open.get(id.toString())
      if (cursor) close(cursor)
      return cursor !== undefined
    },
    closeWhere: (test) => {
      for (const cursor of open.values()) if (test(cursor)) close(cursor)
    },
    count: () => open.size,
    expire: () => {
      for (const cursor of open.values()) {
        if (!cursor.busy && !cursor.noTimeout && monotonic() - cursor.lastUsed > IDLE_MS) close(cursor)
      }
    }
  }
}
