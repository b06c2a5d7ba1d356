import { existsSync } from 'node:fs'
import { decodeDocument } from '../bson/decode.ts'
import type { Document } from '../bson/document.ts'
import { createCatalog, type Catalog } from '../storage/catalog.ts'
import { checkHeader, readFormat } from '../storage/file/database-file.ts'
import { openConnection, type Connection } from '../storage/file/connection.ts'
import { isFailedRead, sqliteFailure } from '../storage/file/failure.ts'
import { storedDocuments } from '../storage/stored-documents.ts'

export interface Snapshot {
  connection: Connection
  catalog: Catalog
}

/**
 * Runs a function on a read-only snapshot of a database file, which a server may be writing to. Reports damage in one
 * sentence, in which the file is called `named`.
 */
export async function withSnapshot<T>(
  file: string,
  run: (snapshot: Snapshot) => T | Promise<T>,
  named = file
): Promise<T> {
  if (!existsSync(file)) throw new Error(`There is no database at ${file}.`)
  checkHeader(file)
  const connection = openConnection(file, { readOnly: true, cacheKiB: 16 * 1024 })
  try {
    connection.exec('BEGIN')
    readFormat(connection, named)
    return await run({ connection, catalog: createCatalog(readingPastDamage(connection)) })
  } catch (cause) {
    throw sqliteFailure(cause, named)
  } finally {
    connection.close()
  }
}

/**
 * Returns a connection for the catalog of a file that may be damaged: the number of a collection's last row, and that of
 * its documents, are Infinity where its tables cannot tell them.
 */
const readingPastDamage = (connection: Connection): Connection => ({
  ...connection,
  get: (sql, ...values) => {
    try {
      return connection.get(sql, ...values)
    } catch (cause) {
      if (!isFailedRead(cause)) throw cause
      return [Infinity]
    }
  }
})

/** Reads the first document of a collection, of a file of any format; null when there is none. */
export const firstDocument = (file: string, namespace: string): Promise<Document | null> =>
  withSnapshot(file, ({ connection, catalog }) => {
    const collection = catalog.get(namespace)
    if (collection === null) return null
    const [first] = storedDocuments(connection, collection)
    return first === undefined ? null : decodeDocument(first[1])
  })
