import { calculateObjectSize, serialize } from 'bson'
import { MongoError } from '../errors.ts'
import type { Document } from './document.ts'
import { receivedBytes } from './received.ts'

/** MongoDB's size limit of a document. */
export const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024
/** MongoDB's size limit of everything else: replies, events, results of a pipeline. */
const MAX_ENCODED_BYTES = MAX_DOCUMENT_BYTES + 16 * 1024

/** Returns null for a document above the limit: behind it ends the buffer of `serialize`, which cuts off what has no room. */
function encodeIfSmall(document: Document): Uint8Array | null {
  try {
    const bytes = serialize(document, { ignoreUndefined: true, checkKeys: false })
    return bytes.length <= MAX_ENCODED_BYTES ? bytes : null
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

const sizeOf = (document: Document): number => calculateObjectSize(document, { ignoreUndefined: true })

/** Encodes a document. Throws when it is too large to be sent. */
export function encodeDocument(document: Document): Uint8Array {
  const bytes = encodeIfSmall(document)
  if (bytes) return bytes
  throw new MongoError(
    10334,
    `BSONObj size: ${sizeOf(document)} is invalid. Size must be between 0 and ${MAX_ENCODED_BYTES}(16MB)`
  )
}

/** Encodes a document for storage. Throws when it is too large. */
export function encodeStored(document: Document, made: 'inserted' | 'updated'): Uint8Array {
  const bytes = receivedBytes(document) ?? encodeIfSmall(document)
  const size = bytes?.length ?? sizeOf(document)
  if (bytes && size <= MAX_DOCUMENT_BYTES) return bytes
  throw made === 'inserted'
    ? new MongoError(2, `object to insert too large. size in bytes: ${size}, max size: ${MAX_DOCUMENT_BYTES}`)
    : new MongoError(17419, `Resulting document after update is larger than ${MAX_DOCUMENT_BYTES}`)
}
