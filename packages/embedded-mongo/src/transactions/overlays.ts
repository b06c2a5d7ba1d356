import { MongoError, writeConflict } from '../errors.ts'
import type { Document } from '../bson/document.ts'
import type { Collection } from '../storage/catalog-tables.ts'
import type { Connection } from '../storage/file/connection.ts'
import { duplicateKey } from '../storage/indexes/duplicate.ts'
import { holderOf } from '../storage/indexes/entries.ts'
import type { Index } from '../storage/indexes/index-spec.ts'
import type { Row, Rows, WholeRow } from '../storage/rows.ts'
import { idKeyOf } from '../storage/live-view.ts'
import type { Locks } from './locks.ts'

/** The changes of a transaction to one collection. */
interface Overlay {
  /** Rows of the snapshot that were replaced (a row) or removed (null), and new rows (negative ids). */
  rows: Map<number, Row | null>
  /** Keys of unique indexes of the rows in the overlay, and the same by row. */
  keys: Map<string, number>
  keysOfRow: Map<number, readonly string[]>
}

/** Limits the memory of a transaction. In MongoDB the limit is in its 16 MiB oplog entries. */
const MAX_BYTES = 64 * 1024 * 1024

export interface OverlaysOptions {
  rows: Rows
  locks: Locks<{ ended: Promise<void> }>
  /** The owner of this transaction's locks. */
  owner: { ended: Promise<void> }
  /** Connections to the snapshot and to the present data. */
  reader: Connection
  writer: Connection
  inSnapshot(collection: Collection): boolean
}

/**
 * Holds a transaction's own rows on top of its snapshot, and its locks: a document or a unique key belongs to its first
 * writer; every other transaction gets a write conflict at once.
 */
export function createOverlays({ rows, locks, owner, reader, writer, inSnapshot }: OverlaysOptions) {
  const overlays = new Map<number, Overlay>()
  let bytes = 0

  const overlayOf = (collection: Collection): Overlay => {
    const known = overlays.get(collection.id)
    if (known) return known
    const made: Overlay = { rows: new Map(), keys: new Map(), keysOfRow: new Map() }
    overlays.set(collection.id, made)
    return made
  }

  const keyName = (index: Index, key: Buffer): string => `${index.id}:${key.toString('latin1')}`

  const lock = (index: Index, key: Buffer): void => {
    const holder = locks.owner(index.id, key)
    if (holder && holder !== owner) throw writeConflict()
    locks.take(index.id, key, owner)
  }

  /** Locks a key for this transaction. @throws MongoError when that is impossible. */
  const claim = (collection: Collection, index: Index, key: Buffer, rid: number, document: Document): void => {
    const overlay = overlayOf(collection)
    const own = overlay.keys.get(keyName(index, key))
    if (own !== undefined && own !== rid) throw duplicateKey(collection.namespace, index, document, key)
    const seen = inSnapshot(collection) ? holderOf(reader, index, key) : null
    if (seen !== null && seen !== rid && !overlay.rows.has(seen))
      throw duplicateKey(collection.namespace, index, document, key)
    lock(index, key)
    const now = holderOf(writer, index, key)
    if (now !== null && now !== rid && !overlay.rows.has(now)) throw writeConflict()
  }

  const forgetKeys = (overlay: Overlay, rid: number): void => {
    for (const name of overlay.keysOfRow.get(rid) ?? []) overlay.keys.delete(name)
    overlay.keysOfRow.delete(rid)
  }

  return {
    /** Returns this transaction's versions of a collection's rows; undefined when there are none. */
    rowsOf: (collection: Collection): ReadonlyMap<number, Row | null> | undefined => overlays.get(collection.id)?.rows,

    /** Locks a row, which must be unchanged since the snapshot. @throws the error of a write conflict. */
    claimRow(collection: Collection, row: Row, document: Document): void {
      const [idIndex] = collection.indexes
      if (!idIndex) return
      lock(idIndex, idKeyOf(collection, document))
      if (row.rid < 0 || overlayOf(collection).rows.has(row.rid)) return
      const current = rows.byRid(collection, row.rid)
      if (!current || Buffer.compare(current.bson, row.bson) !== 0) throw writeConflict()
    },

    /**
     * Locks the unique keys of a document, and returns their names for `put`. It computes all other keys, too, so that a
     * document that cannot be indexed is refused now. @throws the errors of a duplicate key and of a write conflict.
     */
    claimKeys: (collection: Collection, document: Document, rid: number): string[] =>
      collection.indexes.flatMap((index) => {
        const { keys } = rows.keysOf(index, document)
        if (!index.unique) return []
        return keys.map((key) => {
          claim(collection, index, key, rid, document)
          return keyName(index, key)
        })
      }),

    /** Puts a row on top of the snapshot. @throws MongoError when the transaction grows too large. */
    put(collection: Collection, row: WholeRow, held: readonly string[]): void {
      const overlay = overlayOf(collection)
      forgetKeys(overlay, row.rid)
      for (const name of held) overlay.keys.set(name, row.rid)
      overlay.keysOfRow.set(row.rid, held)
      bytes += row.bson.length
      if (bytes > MAX_BYTES)
        throw new MongoError(257, `Total size of all transaction operations must be less than ${MAX_BYTES} bytes`)
      overlay.rows.set(row.rid, row)
    },

    remove(collection: Collection, rid: number): void {
      const overlay = overlayOf(collection)
      forgetKeys(overlay, rid)
      if (rid < 0) overlay.rows.delete(rid)
      else overlay.rows.set(rid, null)
    }
  }
}
