import { decodeExactly } from './decode.ts'
import type { Document } from './document.ts'

/** By the document, as long as somebody holds it. */
const bytesOf = new WeakMap<Document, Uint8Array>()

/**
 * Reads a document that is likely to be stored as it came. Where encoding it would only give the same bytes again, they
 * are kept beside it. Like every document in the engine, it may not be changed from here on: a copy is another document.
 */
export function decodeReceived(bytes: Uint8Array): Document {
  const { document, exact } = decodeExactly(bytes)
  if (exact) bytesOf.set(document, bytes)
  return document
}

/** The bytes of a document that came with a message, if they are what encoding it would give. */
export const receivedBytes = (document: Document): Uint8Array | undefined => bytesOf.get(document)
