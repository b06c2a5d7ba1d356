import { makeFolder } from '@batti/kit/node/folders'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { once } from 'node:events'
import { finished } from 'node:stream/promises'
import { deserialize, EJSON } from 'bson'
import type { Collection } from '../storage/catalog-tables.ts'
import type { Connection } from '../storage/file/connection.ts'
import { storedDocuments } from '../storage/stored-documents.ts'
import { withSnapshot } from './snapshot.ts'

/** Returns the file names of an export: `<database>.<collection>.jsonl` and, for its indexes, `.indexes.json`. */
export const exportNames = (namespace: string): { documents: string; indexes: string } => ({
  documents: `${encodeURIComponent(namespace)}.jsonl`,
  indexes: `${encodeURIComponent(namespace)}.indexes.json`
})

/** Formats a document as canonical Extended JSON, which keeps every type and which `mongoimport` reads. */
const line = (bson: Uint8Array): string =>
  EJSON.stringify(deserialize(bson, { promoteValues: false, promoteBuffers: false, bsonRegExp: true }), {
    relaxed: false
  })

async function writeCollection(connection: Connection, collection: Collection, folder: string): Promise<void> {
  const names = exportNames(collection.namespace)
  const out = createWriteStream(join(folder, names.documents), { mode: 0o600 })
  for (const [, bson] of storedDocuments(connection, collection))
    if (!out.write(`${line(bson)}\n`)) await once(out, 'drain')
  out.end()
  await finished(out)
  const indexes = createWriteStream(join(folder, names.indexes), { mode: 0o600 })
  // Extended JSON here, too: the filter of a partial index may contain a date or an ObjectId.
  const description = {
    collection: collection.namespace,
    options: collection.options,
    indexes: collection.indexes.map(({ spec }) => spec)
  }
  indexes.end(`${EJSON.stringify(description, undefined, 2, { relaxed: true })}\n`)
  await finished(indexes)
}

/** Writes collections (of one database, or all) to a folder. Returns what was written. */
export const exportFolder = (
  file: string,
  folder: string,
  database: string | null
): Promise<{ namespace: string; count: number }[]> =>
  withSnapshot(file, async ({ connection, catalog }) => {
    makeFolder(folder)
    const chosen = database === null ? catalog.all() : catalog.list(database)
    for (const collection of chosen) await writeCollection(connection, collection, folder)
    return chosen.map(({ namespace, count }) => ({ namespace, count }))
  })
