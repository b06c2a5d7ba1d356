import { decodeDocument } from '../bson/decode.ts'
import type { Document } from '../bson/document.ts'

/**
 * Caches decoded documents, bounded by the size of their BSON (a decoded document takes a few times that). Cached
 * documents are shared and must not be modified.
 */
export interface DocumentCache {
  /** `keep` is false for documents of a full scan, which must not evict frequently used ones. */
  read(collection: number, rid: number, bson: Uint8Array, keep: boolean): Document
  /** Returns a cached document without marking it as recently used. */
  peek(collection: number, rid: number): Document | undefined
  put(collection: number, rid: number, document: Document, size: number): void
  forget(collection: number, rid: number): void
  clear(): void
}

/** Memory of a decoded document per byte of BSON, measured with documents of 500 bytes. */
const GROWTH = 4

export function createDocumentCache(limitBytes: number): DocumentCache {
  // Two generations: documents that are not read while the young one fills up are evicted with the old one.
  interface Entry {
    document: Document
    size: number
  }
  let young = new Map<string, Entry>()
  let old = new Map<string, Entry>()
  let youngBytes = 0
  const keyOf = (collection: number, rid: number): string => `${collection}/${rid}`

  const add = (key: string, entry: Entry): void => {
    const before = young.get(key)
    if (before) youngBytes -= before.size
    young.set(key, entry)
    youngBytes += entry.size
    if (youngBytes <= limitBytes / 2) return
    old = young
    young = new Map()
    youngBytes = 0
  }

  return {
    read: (collection, rid, bson, keep) => {
      const key = keyOf(collection, rid)
      const hit = young.get(key)
      if (hit) return hit.document
      const aged = old.get(key)
      if (aged) {
        add(key, aged)
        return aged.document
      }
      const document = decodeDocument(bson)
      if (keep) add(key, { document, size: bson.length * GROWTH + 64 })
      return document
    },
    peek: (collection, rid) => {
      const key = keyOf(collection, rid)
      return (young.get(key) ?? old.get(key))?.document
    },
    put: (collection, rid, document, size) => {
      const key = keyOf(collection, rid)
      old.delete(key)
      add(key, { document, size: size * GROWTH + 64 })
    },
    forget: (collection, rid) => {
      const key = keyOf(collection, rid)
      const entry = young.get(key)
      if (entry) youngBytes -= entry.size
      young.delete(key)
      old.delete(key)
    },
    clear: () => {
      young = new Map()
      old = new Map()
      youngBytes = 0
    }
  }
}
