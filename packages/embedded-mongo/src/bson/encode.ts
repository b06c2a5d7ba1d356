import { calculateObjectSize, serialize } from 'bson'
import { MongoError } from '../errors.ts'
import type { Document } from './document.ts'

/** MongoDB's limit of one document. */
export const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024
/** What a reply may carry above one document of the largest size. */
const REPLY_BYTES = MAX_DOCUMENT_BYTES + 16 * 1024

/** Writes a document; answers BSONObjectTooLarge above 16 MiB, as MongoDB does. */
export const encodeDocument = (document: Document, limit = REPLY_BYTES * 3): Uint8Array => {
  const bytes = serialize(document, { ignoreUndefined: true, checkKeys: false })
  if (bytes.length > limit) {
    throw new MongoError(10334, `BSONObj size: ${bytes.length} is invalid. Size must be between 0 and ${limit}`)
  }
  return bytes
}

export const encodeStored = (document: Document): Uint8Array => encodeDocument(document, MAX_DOCUMENT_BYTES)

export const documentSize = (document: Document): number => calculateObjectSize(document)
