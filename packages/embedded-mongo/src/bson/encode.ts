import { serialize } from 'bson'
import { MongoError } from '../errors.ts'
import type { Document } from './document.ts'
import { receivedBytes } from './received.ts'

/** MongoDB's size limit of a document. */
export const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024

/** Encodes a document of any size. */
export const encodeDocument = (document: Document): Uint8Array =>
  serialize(document, { ignoreUndefined: true, checkKeys: false })

/** Encodes a document for storage. Throws when it is too large. */
export function encodeStored(document: Document, made: 'inserted' | 'updated'): Uint8Array {
  const bytes = receivedBytes(document) ?? encodeDocument(document)
  if (bytes.length <= MAX_DOCUMENT_BYTES) return bytes
  throw made === 'inserted'
    ? new MongoError(2, `object to insert too large. size in bytes: ${bytes.length}, max size: ${MAX_DOCUMENT_BYTES}`)
    : new MongoError(17419, `Resulting document after update is larger than ${MAX_DOCUMENT_BYTES}`)
}
