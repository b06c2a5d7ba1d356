import { closeSync, existsSync, openSync, readSync } from 'node:fs'
import { CATALOG_TABLES } from './catalog.ts'
import { openConnection, type Connection } from './connection.ts'
import { sqliteFailure } from './failure.ts'

/**
 * The layout of the file; a newer one than this program knows is refused. 2: a sparse index leaves out the elements of an
 * array that have none of its fields, and a position in the path of an index may be one that an array does not have.
 */
export const fileFormat = 2

const RETRY_TABLE = `
  CREATE TABLE IF NOT EXISTS retried(
    session BLOB NOT NULL, chunk INTEGER NOT NULL, number INTEGER NOT NULL, kind TEXT NOT NULL, results BLOB NOT NULL,
    at INTEGER NOT NULL, PRIMARY KEY(session, chunk)
  ) WITHOUT ROWID, STRICT;
`
const CHANGE_TABLES = `
  CREATE TABLE IF NOT EXISTS changes(
    seq INTEGER PRIMARY KEY AUTOINCREMENT, seconds INTEGER NOT NULL, ordinal INTEGER NOT NULL,
    namespace TEXT NOT NULL, size INTEGER NOT NULL, event BLOB NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS watches(scope TEXT PRIMARY KEY, since INTEGER NOT NULL, used INTEGER NOT NULL) WITHOUT ROWID, STRICT;
`

const SQLITE_MAGIC = 'SQLite format 3\0'

/** A file that is there but is no SQLite database must be left alone, not "repaired" by an empty one. */
const checkHeader = (path: string): void => {
  if (!existsSync(path)) return
  const file = openSync(path, 'r')
  try {
    const header = Buffer.alloc(16)
    const length = readSync(file, header, 0, 16, 0)
    if (length > 0 && header.toString('latin1') !== SQLITE_MAGIC) {
      throw new Error(`${path} is damaged or not a database of this program; it was left untouched`)
    }
  } finally {
    closeSync(file)
  }
}

/**
 * Opens (or makes) the database file for writing, its tables in place. `then` is what the file is opened for; when it
 * fails, the file is closed. Throws an Error with one sentence when the file cannot be used.
 */
export const openDatabaseFile = <T>(path: string, then: (writer: Connection, format: number) => T): T => {
  checkHeader(path)
  const writer = openConnection(path, { cacheKiB: 32 * 1024 })
  try {
    // NORMAL: SQLite syncs what it must for the file to stay whole; commits are synced here, off the event loop.
    writer.exec(
      'PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 2000; PRAGMA journal_size_limit = 67108864;'
    )
    // One process owns the file; a second one must not write beside this one's caches.
    const [format] = writer.get('PRAGMA user_version') ?? [0]
    if (Number(format) > fileFormat) throw new Error(`${path} was written by a newer version of this program`)
    // Nothing is written where nothing is missing: a full disk must not keep the data from being read.
    if (Number(format) === 0) {
      writer.exec(
        `BEGIN IMMEDIATE; ${CATALOG_TABLES} ${RETRY_TABLE} ${CHANGE_TABLES} PRAGMA user_version = ${fileFormat}; COMMIT;`
      )
    }
    return then(writer, Number(format) === 0 ? fileFormat : Number(format))
  } catch (cause) {
    writer.close()
    throw sqliteFailure(cause, path)
  }
}
