import { syncFolder, syncPath } from '@batti/kit/node/durable-file'
import { closeSync, existsSync, openSync, readSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { CATALOG_TABLES } from './catalog-tables.ts'
import { openConnection, type Connection } from './connection.ts'
import { sqliteFailure } from './failure.ts'

/**
 * The layout of the file; a newer one than this program knows is refused. 2: a sparse index leaves out the elements of an
 * array that have none of its fields, and a position in the path of an index may be one that an array does not have. 3: the
 * catalog says up to which row the entries of an index are in the file. 4: of unique indexes too.
 */
export const fileFormat = 4

const RETRY_TABLE = `
  CREATE TABLE retried(
    session BLOB NOT NULL, chunk INTEGER NOT NULL, number INTEGER NOT NULL, kind TEXT NOT NULL, results BLOB NOT NULL,
    at INTEGER NOT NULL, PRIMARY KEY(session, chunk)
  ) WITHOUT ROWID, STRICT;
`
const CHANGE_TABLES = `
  CREATE TABLE changes(
    seq INTEGER PRIMARY KEY AUTOINCREMENT, seconds INTEGER NOT NULL, ordinal INTEGER NOT NULL,
    namespace TEXT NOT NULL, size INTEGER NOT NULL, event BLOB NOT NULL) STRICT;
  CREATE TABLE watches(scope TEXT PRIMARY KEY, since INTEGER NOT NULL, used INTEGER NOT NULL) WITHOUT ROWID, STRICT;
`

const SQLITE_MAGIC = 'SQLite format 3\0'

/**
 * A file that is there but is no database must be left alone, not "repaired" by an empty one. This program makes a file
 * under another name first, so an empty one is what is left of a database.
 */
export function checkHeader(path: string): void {
  const file = openSync(path, 'r')
  try {
    const header = Buffer.alloc(16)
    const length = readSync(file, header, 0, 16, 0)
    if (length === 0) {
      throw new Error(
        `${path} is empty, which no database is: restore it from a backup, or remove it to begin with nothing`
      )
    }
    if (header.toString('latin1') !== SQLITE_MAGIC)
      throw new Error(`${path} is damaged or not a database of this program; it was left untouched`)
  } finally {
    closeSync(file)
  }
}

/**
 * Small pages: a write touches a page of each index, and whole pages go to the disk, twice. A log row with five indexes
 * costs 44 KiB with these and 72 with pages of 4 KiB (`npm run bench -- database-writes`); smaller ones hold a document
 * of 500 bytes each, and half of the file would be air.
 */
const PAGE_BYTES = 2048
/** What the cache does not hold the system keeps for as long as it has room. */
const PAGE_CACHE_BYTES = 32 * 1024 * 1024
/** A page that many commits wrote to goes from the log to the file once, off the event loop (`checkpoints.ts`); the log is read again after a crash. */
export const CHECKPOINT_BYTES = 16 * 1024 * 1024

/** Makes an empty database under another name and gives it its own when it is whole. */
function makeFile(path: string): void {
  const fresh = `${path}.new`
  for (const suffix of ['', '-journal', '-wal', '-shm']) rmSync(fresh + suffix, { force: true })
  const connection = openConnection(fresh, { cacheKiB: 1024 })
  try {
    connection.exec(
      `PRAGMA page_size = ${PAGE_BYTES}; BEGIN; ${CATALOG_TABLES} ${RETRY_TABLE} ${CHANGE_TABLES} PRAGMA user_version = ${fileFormat}; COMMIT;`
    )
  } catch (cause) {
    throw sqliteFailure(cause, path)
  } finally {
    connection.close()
  }
  syncPath(fresh)
  renameSync(fresh, path)
  syncFolder(dirname(path))
}

/**
 * Opens (or makes) the database file for writing, its tables in place; up to `pageCacheBytes` of its pages stay in memory.
 * `then` is what the file is opened for; when it fails, the file is closed. Throws an Error with one sentence when the file
 * cannot be used.
 */
export function openDatabaseFile<T>(
  path: string,
  pageCacheBytes: number | undefined,
  then: (writer: Connection, format: number) => T
): T {
  if (existsSync(path)) checkHeader(path)
  else makeFile(path)
  const writer = openConnection(path, { cacheKiB: Math.round((pageCacheBytes ?? PAGE_CACHE_BYTES) / 1024) })
  try {
    const [format] = writer.get('PRAGMA user_version') ?? [0]
    if (Number(format) === 0) throw new Error(`${path} is a database of another program; it was left untouched`)
    if (Number(format) > fileFormat) throw new Error(`${path} was written by a newer version of this program`)
    const [pageBytes] = writer.get('PRAGMA page_size') ?? [PAGE_BYTES]
    // NORMAL: SQLite syncs what it must for the file to stay whole; commits are synced here, off the event loop.
    // What is deleted is overwritten: the pages of a person's data must not lie in the file until others need the room.
    writer.exec(
      `PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON;
       PRAGMA wal_autocheckpoint = ${Math.round(CHECKPOINT_BYTES / Number(pageBytes))}; PRAGMA journal_size_limit = 67108864;`
    )
    return then(writer, Number(format))
  } catch (cause) {
    writer.close()
    throw sqliteFailure(cause, path)
  }
}
