import { Long } from 'bson'
import { MongoError } from '../errors.ts'
import { CursorReply } from '../wire/cursor-reply.ts'
import { batchSizeOf, fillBatch } from './batch.ts'
import type { Handler } from './context.ts'

function cursorIdOf(value: unknown): Long {
  if (value instanceof Long) return value
  if (typeof value === 'number') return Long.fromNumber(value)
  throw new MongoError(14, "BSON field 'getMore.getMore' is the wrong type, expected type 'long'")
}

/** Default wait of a `getMore` on a change stream, as in MongoDB. */
const AWAIT_MS = 1000

/** https://www.mongodb.com/docs/manual/reference/command/getMore/ */
export const getMore: Handler = async (context) => {
  const { engine, command, database, session, signal } = context
  const id = cursorIdOf(command['getMore'])
  const cursor = engine.cursors.get(id)
  const namespace = `${database}.${String(command['collection'])}`
  if (!cursor) throw new MongoError(43, `cursor id ${id.toString()} not found`)
  if (cursor.namespace !== namespace) {
    throw new MongoError(
      13,
      `Requested getMore on namespace '${namespace}', but cursor belongs to a different namespace ${cursor.namespace}`
    )
  }
  if (cursor.session !== session) {
    throw new MongoError(13, `Cannot run getMore on cursor ${id.toString()}, which was created in another session`)
  }
  if (cursor.busy) throw new MongoError(143, `cursor id ${id.toString()} is already in use`)
  if (cursor.transaction && cursor.transaction !== context.view) {
    throw new MongoError(
      50740,
      `Cannot run getMore on cursor ${id.toString()}, which was created in another transaction`
    )
  }
  cursor.busy = true
  try {
    const pause = async (): Promise<void> => {
      await context.pause()
      cursor.slice.renew()
    }
    cursor.slice.renew()
    const size = batchSizeOf(command['batchSize']) || Infinity
    let filled = await fillBatch(cursor.stream, {
      held: cursor.held,
      size,
      pause,
      stopsOnPause: cursor.tail !== null
    })
    if (cursor.tail && filled.documents.length === 0 && !filled.done) {
      const wait = command['maxTimeMS'] === undefined ? AWAIT_MS : Number(command['maxTimeMS'])
      await cursor.tail.wait(wait, signal)
      filled = await fillBatch(cursor.stream, { size, pause, stopsOnPause: true })
    }
    cursor.held = filled.held
    // The cursor was killed while it was being read: do not return its documents.
    if (engine.cursors.get(id) !== cursor) throw new MongoError(237, `cursor id ${id.toString()} was killed`)
    engine.cursors.touch(cursor)
    const extra = cursor.tail ? { postBatchResumeToken: cursor.tail.token() } : {}
    if (filled.done) engine.cursors.close(id)
    return new CursorReply(
      { documents: filled.documents, id: filled.done ? Long.ZERO : id, namespace, field: 'nextBatch', extra },
      { ok: 1 }
    )
  } catch (error) {
    engine.cursors.close(id)
    throw error
  } finally {
    cursor.busy = false
    // The cursor was closed while it was being read, when its stream could not be ended.
    if (engine.cursors.get(id) !== cursor) cursor.stream.return(undefined)
  }
}

/** https://www.mongodb.com/docs/manual/reference/command/killCursors/ */
export const killCursors: Handler = ({ engine, command }) => {
  const asked = Array.isArray(command['cursors']) ? command['cursors'].map(cursorIdOf) : []
  const killed = asked.filter((id) => engine.cursors.close(id))
  return {
    cursorsKilled: killed,
    cursorsNotFound: asked.filter((id) => !killed.includes(id)),
    cursorsAlive: [],
    cursorsUnknown: [],
    ok: 1
  }
}
