import { Long } from 'bson'
import type { Document } from '../bson/document.ts'
import type { OpenCursor } from '../cursors.ts'
import { MongoError } from '../errors.ts'
import { PAUSE, type Stream } from '../storage/pause.ts'
import { CursorReply } from '../wire/cursor-reply.ts'
import type { CommandContext } from './context.ts'

/** MongoDB's default size of the first batch. */
const FIRST_BATCH = 101
/** A batch ends at 16 MiB, regardless of its number of documents. */
const BATCH_BYTES = 16 * 1024 * 1024

interface Filled {
  documents: Uint8Array[]
  held: Uint8Array | null
  done: boolean
}

interface BatchOptions {
  /** An item that did not fit in the batch before. */
  held?: Uint8Array | null
  /** The number of documents, at most. */
  size: number
  pause(): Promise<void>
  /** Returns what there is at a PAUSE of the stream, instead of waiting for more. */
  stopsOnPause: boolean
}

/** Fills a batch. An item that would make it too large is held for the next one. */
export async function fillBatch(
  stream: Stream<Uint8Array>,
  { held = null, size, pause, stopsOnPause }: BatchOptions
): Promise<Filled> {
  const documents: Uint8Array[] = held ? [held] : []
  let bytes = held?.length ?? 0
  while (documents.length < size) {
    const step = stream.next()
    if (step.done) return { documents, held: null, done: true }
    if (step.value === PAUSE) {
      if (stopsOnPause) return { documents, held: null, done: false }
      await pause()
      continue
    }
    if (documents.length > 0 && bytes + step.value.length > BATCH_BYTES)
      return { documents, held: step.value, done: false }
    documents.push(step.value)
    bytes += step.value.length
  }
  return { documents, held: null, done: false }
}

export interface CursorOptions {
  namespace: string
  batchSize: number | null
  singleBatch: boolean
  noTimeout?: boolean
  tail?: OpenCursor['tail']
  onClose?: () => void
  extra?: () => Document
}

/** Builds the first reply of a command with a cursor: a batch, and an open cursor if more may follow. */
export async function firstBatch(
  context: CommandContext,
  stream: Stream<Uint8Array>,
  options: CursorOptions
): Promise<CursorReply> {
  try {
    return await beginBatches(context, stream, options)
  } catch (error) {
    // Nobody will read on: release the memory and disk space of the stream.
    stream.return(undefined)
    options.onClose?.()
    throw error
  }
}

async function beginBatches(
  context: CommandContext,
  stream: Stream<Uint8Array>,
  options: CursorOptions
): Promise<CursorReply> {
  const { engine, session, slice, client } = context
  const size = options.batchSize ?? FIRST_BATCH
  const filled = await fillBatch(stream, { size, pause: context.pause, stopsOnPause: Boolean(options.tail) })
  const extra = options.extra?.() ?? {}
  // Read one item ahead, so that no getMore with an empty batch follows.
  const more =
    options.singleBatch || filled.done
      ? { held: null, done: true }
      : filled.held || size === 0 || options.tail
        ? filled
        : await peek(stream, context.pause)
  if (more.done && !options.tail) {
    stream.return(undefined)
    options.onClose?.()
    return new CursorReply(
      { documents: filled.documents, id: Long.ZERO, namespace: options.namespace, field: 'firstBatch', extra },
      { ok: 1 }
    )
  }
  const cursor = engine.cursors.open({
    namespace: options.namespace,
    session,
    client: client.id,
    transaction: context.view.inTransaction ? context.view : null,
    slice,
    stream,
    tail: options.tail ?? null,
    noTimeout: options.noTimeout ?? false,
    onClose: options.onClose ?? (() => {})
  })
  cursor.held = more.held
  return new CursorReply(
    { documents: filled.documents, id: cursor.id, namespace: options.namespace, field: 'firstBatch', extra },
    { ok: 1 }
  )
}

async function peek(
  stream: Stream<Uint8Array>,
  pause: () => Promise<void>
): Promise<{ held: Uint8Array | null; done: boolean }> {
  const one = await fillBatch(stream, { size: 1, pause, stopsOnPause: false })
  const [held] = one.documents
  return held ? { held, done: false } : { held: null, done: true }
}

/** Reads `batchSize`, at the top level or in `cursor: {}`. */
export function batchSizeOf(value: unknown): number | null {
  if (value === undefined || value === null) return null
  const size = Number(value)
  if (!Number.isFinite(size)) throw new MongoError(14, "BSON field 'batchSize' is the wrong type")
  if (size < 0) throw new MongoError(51024, `BSON field 'batchSize' value must be >= 0, actual value '${size}'`)
  return Math.trunc(size)
}
