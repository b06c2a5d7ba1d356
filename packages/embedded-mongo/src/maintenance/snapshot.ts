import { existsSync } from 'node:fs'
import { createCatalog, type Catalog } from '../storage/catalog.ts'
import { checkHeader, readFormat } from '../storage/file/database-file.ts'
import { openConnection, type Connection } from '../storage/file/connection.ts'
import { sqliteFailure } from '../storage/file/failure.ts'

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
    return await run({ connection, catalog: createCatalog(connection) })
  } catch (cause) {
    throw sqliteFailure(cause, named)
  } finally {
    connection.close()
  }
}
