import type { Long } from 'bson'
import type { Document } from '../bson/document.ts'
import { encodeDocument } from '../bson/encode.ts'

/** A batch of stored documents, which are sent without being decoded. */
export interface Batch {
  documents: readonly Uint8Array[]
  id: Long
  namespace: string
  field: 'firstBatch' | 'nextBatch'
  extra?: Document
}

/** A reply whose documents are already BSON: `{ cursor: {...} , ...rest }`. */
export class CursorReply {
  readonly batch: Batch
  readonly rest: Document
  constructor(batch: Batch, rest: Document) {
    this.batch = batch
    this.rest = rest
  }
}

const cString = (text: string): Buffer => Buffer.from(`${text}\0`, 'utf8')

/** Array keys "0\0", "1\0", ..., which are the same for every batch. The few large batches make the rest of theirs. */
const positions = Array.from({ length: 1000 }, (_, i) => cString(String(i)))
const position = (i: number): Buffer => positions[i] ?? cString(String(i))

const EMBEDDED = Buffer.from([0x03])
const END = Buffer.from([0])

/** Encodes `{ ...rest, cursor: { <field>: [documents], id, ns } }` with documents that are already BSON. */
export function encodeCursorReply(batch: Batch, rest: Document): Uint8Array[] {
  const array: Uint8Array[] = []
  let arraySize = 5
  for (const [i, document] of batch.documents.entries()) {
    const name = position(i)
    array.push(EMBEDDED, name, document)
    arraySize += 1 + name.length + document.length
  }
  const tail = encodeDocument({ id: batch.id, ns: batch.namespace, ...batch.extra })
  const fieldName = cString(batch.field)
  const cursorSize = 4 + 1 + fieldName.length + arraySize + (tail.length - 4)
  const outer = encodeDocument(rest)
  const cursorName = cString('cursor')
  const size = outer.length - 1 + 1 + cursorName.length + cursorSize + 1
  const head = Buffer.concat([
    int32(size),
    outer.subarray(4, outer.length - 1),
    EMBEDDED,
    cursorName,
    int32(cursorSize),
    Buffer.from([0x04]),
    fieldName,
    int32(arraySize)
  ])
  return [head, ...array, END, tail.subarray(4), END]
}

function int32(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(4)
  bytes.writeInt32LE(value)
  return bytes
}
