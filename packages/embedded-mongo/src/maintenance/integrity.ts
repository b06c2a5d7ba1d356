import { decodeDocument } from '../bson/decode.ts'
import type { Collection } from '../storage/catalog-tables.ts'
import type { Connection } from '../storage/file/connection.ts'
import { fileFormat, readFormat } from '../storage/file/database-file.ts'
import { isOldIndex } from '../storage/indexes/index-build.ts'
import { createKeysOf, createPartialTest } from '../storage/indexes/partial-test.ts'
import type { KeysOf } from '../storage/indexes/index-keys.ts'
import { storedDocuments } from '../storage/stored-documents.ts'
import { withSnapshot } from './snapshot.ts'

/** Checking stops after this many faults. */
const MAX_FAULTS = 20

/**
 * Checks a database file: SQLite's own structure, that every document is readable, that every index contains exactly the
 * keys of the documents, and that the counts are correct. Returns the faults. A copy is checked under the name of its source.
 */
export const checkFile = (file: string, named = file): Promise<string[]> =>
  withSnapshot(
    file,
    ({ connection, catalog }) => {
      const structure = connection
        .all('PRAGMA integrity_check')
        .flatMap(([lines]) => String(lines).split('\n'))
        // The heading says only which database it is.
        .filter((line) => line !== 'ok' && !line.startsWith('***'))
      if (structure.length > 0) return structure.slice(0, MAX_FAULTS)
      const keysOf = createKeysOf(createPartialTest())
      const format = Number((connection.get('PRAGMA user_version') ?? [0])[0])
      return catalog
        .all()
        .map((collection) => ({
          ...collection,
          indexes: collection.indexes.filter((index) => !isOldIndex(index, format))
        }))
        .flatMap((collection) => checkCollection(connection, collection, keysOf))
        .slice(0, MAX_FAULTS)
    },
    named
  )

/** Tells whether the file has an older format, which the next start converts. */
export const isOfOlderVersion = (file: string): Promise<boolean> =>
  withSnapshot(file, ({ connection }) => readFormat(connection, file) < fileFormat)

function checkCollection(connection: Connection, collection: Collection, keysOf: KeysOf): string[] {
  const faults: string[] = []
  const expected = new Map(collection.indexes.map(({ id }) => [id, 0]))
  let documents = 0
  for (const [rid, bson] of storedDocuments(connection, collection)) {
    documents++
    try {
      const document = decodeDocument(bson)
      for (const index of collection.indexes) {
        // Entries of later rows are not in the file (`recent.ts`).
        if (rid > index.merged) continue
        for (const key of keysOf(index, document).keys) {
          expected.set(index.id, (expected.get(index.id) ?? 0) + 1)
          const found = connection.get(`SELECT 1 FROM index_${index.id} WHERE key = ? AND rid = ?`, key, rid)
          if (!found) faults.push(`${collection.namespace}: document ${rid} is missing in index ${index.name}`)
        }
      }
    } catch (error) {
      const why = error instanceof Error ? error.message : ''
      faults.push(`${collection.namespace}: document ${rid} cannot be read: ${why}`)
    }
    if (faults.length >= MAX_FAULTS) return faults
  }
  for (const index of collection.indexes) {
    const [entries] = connection.get(`SELECT count(*) FROM index_${index.id}`) ?? [0]
    const wanted = expected.get(index.id) ?? 0
    if (Number(entries) !== wanted)
      faults.push(
        `${collection.namespace}: index ${index.name} has ${Number(entries)} entries, the documents ask for ${wanted}`
      )
  }
  if (documents !== collection.count)
    faults.push(`${collection.namespace}: ${documents} documents, the catalog says ${collection.count}`)
  return faults
}
