import { decodeDocument } from '../../bson/decode.ts'
import { GATHERING_FORMAT, type Collection } from '../catalog-tables.ts'
import { isIndex } from '../../query/path.ts'
import { fileFormat } from '../file/database-file.ts'
import { duplicateKey } from './duplicate.ts'
import type { Index } from './index-spec.ts'
import type { Rows } from '../rows.ts'
import type { Store } from '../store.ts'
import { storedDocuments } from '../stored-documents.ts'

/**
 * Builds indexes of an existing collection, all or none. The build is one synchronous step from the check for duplicates to
 * the last entry, so that nobody can request the same index, or write, in between. Other clients wait meanwhile (about
 * ten seconds for a million documents).
 */
export function buildIndexes(store: Store, rows: Rows, collection: Collection, indexes: readonly Index[]): void {
  // Commit the writes of others first, so that a disk without room for the index does not roll them back.
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

/** Tells whether an older file format stored the entries of an index differently. */
export const isOldIndex = (index: Index, format: number): boolean =>
  (format < 6 && index.collation !== null) ||
  (format < 2 && index.multikey.size > 0 && (index.sparse || index.paths.some((parts) => parts.some(isIndex))))

/** Upgrades a file of an older format in one commit. */
export function renewFile(store: Store, rows: Rows): void {
  if (store.format === fileFormat) return
  store.attempt(() => {
    if (store.format < GATHERING_FORMAT)
      store.writer.exec('ALTER TABLE indexes ADD COLUMN merged INTEGER NOT NULL DEFAULT 0')
    for (const collection of store.catalog.all()) {
      for (const index of collection.indexes) {
        // In an older format all entries of the index are in the file.
        if (index.merged === Infinity) store.catalog.beginGathering(collection, index)
        if (!isOldIndex(index, store.format)) continue
        if (index.unique) checkDuplicates(store, rows, collection, index)
        store.catalog.beginGathering(collection, index)
        store.writer.exec(`DELETE FROM index_${index.id}`)
        fillIndex(store, rows, collection, index)
      }
    }
    store.writer.exec(`PRAGMA user_version = ${fileFormat}`)
  })
  store.flush()
}

/** Finds the first duplicate before anything is written, by means of a temporary table. */
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
