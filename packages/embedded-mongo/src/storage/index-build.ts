import { decodeDocument } from '../bson/decode.ts'
import { GATHERING_FORMAT, type Collection } from './catalog-tables.ts'
import { isIndex } from '../query/path.ts'
import { fileFormat } from './database-file.ts'
import { duplicateKey } from './duplicate.ts'
import type { Index } from './index-spec.ts'
import type { Rows } from './rows.ts'
import type { Store } from './store.ts'
import { storedDocuments } from './stored-documents.ts'

/**
 * Makes indexes of what is in the collection already: all of them, or none. It is one step of the event loop from the
 * look at what is there to the last entry, so nobody can ask for the same index, or write, in between; other clients
 * wait meanwhile (about five seconds for a million documents).
 */
export function buildIndexes(store: Store, rows: Rows, collection: Collection, indexes: readonly Index[]): void {
  // What others have written is committed by itself: a disk that is too small for the index takes nothing of theirs.
  store.flush()
  for (const index of indexes) if (index.unique) checkDuplicates(store, rows, collection, index)
  store.attempt(() => {
    for (const index of indexes) {
      store.catalog.addIndex(collection, index)
      fillIndex(store, rows, collection, index)
    }
  })
  store.flush()
}

function fillIndex({ writer, catalog }: Store, rows: Rows, collection: Collection, index: Index): void {
  const arrays = new Set<string>()
  for (const [rid, bson] of storedDocuments(writer, collection)) {
    const found = rows.keysOf(index, decodeDocument(bson))
    for (const part of found.arrays) arrays.add(part)
    for (const key of found.keys) writer.run(`INSERT INTO index_${index.id}(key, rid) VALUES(?, ?)`, key, rid)
  }
  if (arrays.size > 0) catalog.noteArrays(index, [...arrays])
}

/** An index whose entries the first layout of the file had otherwise. */
export const isOldIndex = (index: Index, format: number): boolean =>
  format < 2 && index.multikey.size > 0 && (index.sparse || index.paths.some((parts) => parts.some(isIndex)))

/** Makes a file of an older layout one of today's, in one commit. */
export function renewFile(store: Store, rows: Rows): void {
  if (store.format === fileFormat) return
  store.attempt(() => {
    if (store.format < GATHERING_FORMAT)
      store.writer.exec('ALTER TABLE indexes ADD COLUMN merged INTEGER NOT NULL DEFAULT 0')
    for (const collection of store.catalog.all()) {
      for (const index of collection.indexes) {
        // What an older layout holds of it is in the file, all of it.
        if (index.merged === Infinity) store.catalog.beginGathering(collection, index)
        if (!isOldIndex(index, store.format)) continue
        store.writer.exec(`DELETE FROM index_${index.id}`)
        fillIndex(store, rows, collection, index)
      }
    }
    store.writer.exec(`PRAGMA user_version = ${fileFormat}`)
  })
  store.flush()
}

/** Finds the first duplicate before anything is written, in a table that is thrown away. */
function checkDuplicates({ writer }: Store, rows: Rows, collection: Collection, index: Index): void {
  writer.exec('CREATE TEMP TABLE building(key BLOB PRIMARY KEY, rid INTEGER NOT NULL) WITHOUT ROWID')
  try {
    for (const [rid, bson] of storedDocuments(writer, collection)) {
      const document = decodeDocument(bson)
      for (const key of rows.keysOf(index, document).keys) {
        if (writer.get('SELECT 1 FROM temp.building WHERE key = ?', key))
          throw duplicateKey(collection.namespace, index, document, key)
        writer.run('INSERT INTO temp.building(key, rid) VALUES(?, ?)', key, rid)
      }
    }
  } finally {
    writer.forget()
    writer.exec('DROP TABLE temp.building')
  }
}
