import { createWriteStream } from 'node:fs'
import { once } from 'node:events'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { makeFolder } from '@batti/kit/node/folders'
import { EJSON } from 'bson'
import type { Collection } from '../storage/catalog-tables.ts'
import type { Connection } from '../storage/file/connection.ts'
import { readableDocuments } from '../storage/stored-documents.ts'
import { withSnapshot } from './snapshot.ts'

/** Returns a file name like `mongodump`, with special characters escaped as in a URL. */
const dumpName = (collection: string): string => encodeURIComponent(collection).replaceAll('%24', '$')

/**
 * Writes collections (of one database, or all) in the format of `mongodump`, so that `mongorestore FOLDER` copies them with
 * their indexes to MongoDB. Returns what was written, and how many documents are lost in damaged parts of the file.
 */
export function dumpFolder(
  file: string,
  folder: string,
  database: string | null
): Promise<{ namespace: string; count: number; lost: number }[]> {
  return withSnapshot(file, async ({ connection, catalog }) => {
    makeFolder(folder)
    const chosen = database === null ? catalog.all() : catalog.list(database)
    const dumped = []
    for (const collection of chosen) {
      const dot = collection.namespace.indexOf('.')
      const inside = join(folder, collection.namespace.slice(0, dot))
      makeFolder(inside)
      const path = join(inside, dumpName(collection.namespace.slice(dot + 1)))
      const count = await writeDocuments(connection, collection, `${path}.bson`)
      await writeWhole(`${path}.metadata.json`, metadataOf(collection))
      dumped.push({ namespace: collection.namespace, count, lost: collection.count - count })
    }
    return dumped
  })
}

/** Writes the documents as concatenated BSON. Returns their number. */
async function writeDocuments(connection: Connection, collection: Collection, path: string): Promise<number> {
  const out = createWriteStream(path, { mode: 0o600 })
  let count = 0
  for (const bson of readableDocuments(connection, collection)) {
    if (!out.write(bson)) await once(out, 'drain')
    count++
  }
  out.end()
  await finished(out)
  return count
}

/** Canonical Extended JSON, which keeps the types in the filter of a partial index. */
const metadataOf = ({ namespace, uuid, options, indexes }: Collection): string =>
  EJSON.stringify(
    {
      options,
      indexes: indexes.map(({ spec }) => spec),
      uuid: uuid.replaceAll('-', ''),
      collectionName: namespace.slice(namespace.indexOf('.') + 1),
      type: 'collection'
    },
    { relaxed: false }
  )

async function writeWhole(path: string, text: string): Promise<void> {
  const out = createWriteStream(path, { mode: 0o600 })
  out.end(text)
  await finished(out)
}
