import { decodeExactly } from './decode.ts'
import type { Document } from './document.ts'

/** The received bytes by document, as long as the document is referenced. */
const bytesOf = new WeakMap<Document, Uint8Array>()

/**
 * Reads a document that is likely to be stored unchanged. If encoding it would produce the same bytes again, they are kept
 * with it. Like every document in the engine it must not be modified; a copy is another document.
 */
export function decodeReceived(bytes: Uint8Array): Document {
  const { document, exact } = decodeExactly(bytes)
  if (exact) bytesOf.set(document, bytes)
  return document
}

/** Returns the received bytes of a document, if encoding it would produce the same. */
export const receivedBytes = (document: Document): Uint8Array | undefined => bytesOf.get(document)
