import { getField, type Document } from '../bson/document.ts'
import { decodeFields } from '../bson/decode.ts'
import { encodeStored } from '../bson/encode.ts'
import { encodeKey } from '../bson/key.ts'
import type { KeysOf } from './indexes/index-keys.ts'
import type { Index } from './indexes/index-spec.ts'
import type { Collection } from './catalog-tables.ts'
import type { Connection } from './file/connection.ts'
import type { Store } from './store.ts'
import { duplicateKey } from './indexes/duplicate.ts'
import { holderOf, queryEntries } from './indexes/entries.ts'

/** A stored document: its row id, its bytes and, once it was needed, the decoded document (shared, never modified). */
export interface Row {
  rid: number
  bson: Uint8Array
  document: Document | null
  /** Read by a full scan. */ passing?: true
}

/** A row to be written, whose bytes are its encoded document. */
export type WholeRow = Row & { document: Document }

/** Returns the new version of a row. Throws when the document is too large to be stored. */
export const changedRow = ({ rid }: Row, document: Document): WholeRow => ({
  rid,
  bson: encodeStored(document, 'updated'),
  document
})

/** Reads and writes documents and their index entries in the tables. Everything here is synchronous. */
export interface Rows {
  keysOf: KeysOf
  byId(collection: Collection, id: unknown): Row | null
  byRid(collection: Collection, rid: number): Row | null
  documentOf(collection: Collection, row: Row): Document
  /** Returns the document, or only these fields of it: for a test of many rows, most of which do not match. */
  fieldsOf(collection: Collection, row: Row, fields: ReadonlySet<string>): Document
  /** Checks unique indexes, then writes. For a duplicate it throws DuplicateKey and writes nothing. */
  insert(collection: Collection, document: Document): Row
  replace(collection: Collection, row: Row, after: WholeRow): void
  remove(collection: Collection, row: Row): void
}

/** Returns the row with a key of a unique index, or null. */
export function rowByKey(connection: Connection, collection: Collection, index: Index, key: Buffer): Row | null {
  const join = `CROSS JOIN docs_${collection.id} d ON d.rid = i.rid`
  const found = connection.get(
    queryEntries(connection, index, { columns: 'd.rid, d.bson', join, where: 'i.key = ?1' }),
    key
  )
  return found ? { rid: Number(found[0]), bson: found[1] as Uint8Array, document: null } : null
}

export function createRows(store: Store, keysOf: KeysOf): Rows {
  const { writer, catalog, cache, recent } = store

  const checkUnique = (
    collection: Collection,
    index: Index,
    keys: readonly Buffer[],
    rid: number,
    document: Document
  ): void => {
    if (!index.unique) return
    for (const key of keys) {
      const other = holderOf(writer, index, key)
      if (other !== null && other !== rid) throw duplicateKey(collection.namespace, index, document, key)
    }
  }

  const addKeys = (index: Index, keys: readonly Buffer[], rid: number): void => {
    for (const key of keys) {
      if (rid > index.merged) recent.add(index, key, rid)
      else writer.run(`INSERT INTO index_${index.id}(key, rid) VALUES(?, ?)`, key, rid)
    }
  }
  const dropKeys = (index: Index, keys: readonly Buffer[], rid: number): void => {
    for (const key of keys) {
      if (rid > index.merged) recent.remove(index, key, rid)
      else writer.run(`DELETE FROM index_${index.id} WHERE key = ? AND rid = ?`, key, rid)
    }
  }

  const byRid = (collection: Collection, rid: number): Row | null => {
    const found = writer.get(`SELECT bson FROM docs_${collection.id} WHERE rid = ?`, rid)
    return found ? { rid, bson: found[0] as Uint8Array, document: null } : null
  }

  const documentOf = (collection: Collection, row: Row): Document =>
    (row.document ??= cache.read(collection.id, row.rid, row.bson, row.passing !== true))

  return {
    keysOf,
    byRid,
    documentOf,
    fieldsOf: (collection, row, fields) =>
      row.document ?? cache.peek(collection.id, row.rid) ?? decodeFields(row.bson, fields),
    byId: (collection, id) => {
      const [idIndex] = collection.indexes
      if (!idIndex) return null
      return rowByKey(writer, collection, idIndex, encodeKey(id, idIndex.collation?.fold ?? null))
    },
    insert: (collection, document) => {
      const bson = encodeStored(document, 'inserted')
      const rid = collection.nextRid
      const entries = collection.indexes.map((index) => ({ index, found: keysOf(index, document) }))
      for (const { index, found } of entries) checkUnique(collection, index, found.keys, rid, document)
      store.write(() => {
        collection.nextRid++
        writer.run(`INSERT INTO docs_${collection.id}(rid, bson) VALUES(?, ?)`, rid, bson)
        for (const { index, found } of entries) {
          addKeys(index, found.keys, rid)
          if (found.arrays.length > 0) catalog.noteArrays(index, found.arrays)
        }
      })
      collection.count++
      catalog.noteCount(collection)
      return { rid, bson, document }
    },
    replace: (collection, row, { bson, document }) => {
      const before = documentOf(collection, row)
      const changes = collection.indexes.flatMap((index) => {
        // A value that no operator wrote to is the same object, so its keys are unchanged.
        if (index.reads.every((field) => getField(before, field) === getField(document, field))) return []
        const old = keysOf(index, before)
        const next = keysOf(index, document)
        const gone = old.keys.filter((key) => !next.keys.some((other) => other.equals(key)))
        const come = next.keys.filter((key) => !old.keys.some((other) => other.equals(key)))
        return gone.length + come.length + next.arrays.length === 0 ? [] : [{ index, gone, come, arrays: next.arrays }]
      })
      for (const { index, come } of changes) checkUnique(collection, index, come, row.rid, document)
      store.write(() => {
        writer.run(`UPDATE docs_${collection.id} SET bson = ? WHERE rid = ?`, bson, row.rid)
        for (const { index, gone, come, arrays } of changes) {
          dropKeys(index, gone, row.rid)
          addKeys(index, come, row.rid)
          if (arrays.length > 0) catalog.noteArrays(index, arrays)
        }
      })
      cache.put(collection.id, row.rid, document, bson.length)
    },
    remove: (collection, row) => {
      const document = documentOf(collection, row)
      store.write(() => {
        for (const index of collection.indexes) dropKeys(index, keysOf(index, document).keys, row.rid)
        writer.run(`DELETE FROM docs_${collection.id} WHERE rid = ?`, row.rid)
      })
      cache.forget(collection.id, row.rid)
      collection.count--
      catalog.noteCount(collection)
    }
  }
}
