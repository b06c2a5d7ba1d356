import { decodeDocument } from '../bson/decode.ts'
import type { Collection } from './catalog.ts'
import { duplicateKey } from './duplicate.ts'
import type { Index } from './index-spec.ts'
import type { Rows } from './rows.ts'
import type { Store } from './store.ts'

const PAGE = 1000

/**
 * Makes an index of what is in the collection already. All of it is one commit, so an index is there
 * whole or not at all; other clients wait meanwhile (about five seconds for a million documents).
 */
export const buildIndex = async (store: Store, rows: Rows, collection: Collection, index: Index): Promise<void> => {
  const { writer, catalog } = store
  // A duplicate must not take other clients' writes down with it.
  store.flush()
  await store.durable()
  if (index.unique) checkDuplicates(store, rows, collection, index)
  store.attempt(() => {
    catalog.addIndex(collection, index)
    const arrays = new Set<string>()
    let last = 0
    for (;;) {
      const page = writer.all(
        `SELECT rid, bson FROM docs_${collection.id} WHERE rid > ? ORDER BY rid LIMIT ${PAGE}`,
        last
      )
      for (const [rid, bson] of page) {
        last = Number(rid)
        const found = rows.keysOf(index, decodeDocument(bson as Uint8Array))
        for (const part of found.arrays) arrays.add(part)
        for (const key of found.keys) writer.run(`INSERT INTO index_${index.id}(key, rid) VALUES(?, ?)`, key, last)
      }
      if (page.length < PAGE) break
    }
    if (arrays.size > 0) catalog.noteArrays(index, [...arrays])
  })
}

/** Finds the first duplicate before anything is written, in a table that is thrown away. */
const checkDuplicates = ({ writer }: Store, rows: Rows, collection: Collection, index: Index): void => {
  writer.exec('CREATE TEMP TABLE building(key BLOB PRIMARY KEY, rid INTEGER NOT NULL) WITHOUT ROWID')
  try {
    let last = 0
    for (;;) {
      const page = writer.all(
        `SELECT rid, bson FROM docs_${collection.id} WHERE rid > ? ORDER BY rid LIMIT ${PAGE}`,
        last
      )
      for (const [rid, bson] of page) {
        last = Number(rid)
        const document = decodeDocument(bson as Uint8Array)
        for (const key of rows.keysOf(index, document).keys) {
          if (writer.get('SELECT 1 FROM temp.building WHERE key = ?', key))
            throw duplicateKey(collection.namespace, index, document, key)
          writer.run('INSERT INTO temp.building(key, rid) VALUES(?, ?)', key, last)
        }
      }
      if (page.length < PAGE) return
    }
  } finally {
    writer.forget()
    writer.exec('DROP TABLE temp.building')
  }
}
