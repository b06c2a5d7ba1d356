import { syncFolder, syncPath } from '@batti/kit/node/durable-file'
import { closeSync, existsSync, openSync, readSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { CATALOG_TABLES } from '../catalog-tables.ts'
import { openConnection, type Connection } from './connection.ts'
import { sqliteFailure } from './failure.ts'
import { logDamage } from './log-damage.ts'

/**
 * The format of the file. A newer one is refused. 2: a sparse index omits array elements that have none of its fields, and
 * the path of an index may contain a position that an array does not have. 3: the catalog stores up to which row the
 * entries of an index are in the file. 4: also for unique indexes. 5 and 6: texts under a collation are folded as `query/fold.ts` does.
 */
export const fileFormat = 6

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
 * Checks the header of an existing file. A file that is no database must be left unchanged, not replaced with an empty one.
 * An empty file is damaged, too, because new databases are created under another name first.
 */
export function checkHeader(path: string): void {
  const file = openSync(path, 'r')
  try {
    const header = Buffer.alloc(16)
    const length = readSync(file, header, 0, 16, 0)
    if (length === 0) {
      throw new Error(
        `${path} is empty, which no database is: restore it from a backup, or remove it and ${path}-wal to begin with nothing`
      )
    }
    if (header.toString('latin1') !== SQLITE_MAGIC)
      throw new Error(`${path} is damaged or not a database of this program; it was left untouched`)
  } finally {
    closeSync(file)
  }
}

/** Returns the format of an open file. @throws Error with one sentence when this program cannot read it. */
export function readFormat(connection: Connection, path: string): number {
  const format = Number((connection.get('PRAGMA user_version') ?? [0])[0])
  if (format === 0) throw new Error(`${path} is a database of another program; it was left untouched`)
  if (format > fileFormat)
    throw new Error(
      `${path} was written by a newer version of Batti: start that one, or restore a backup from before it`
    )
  return format
}

/** The name of a backup while `restore` puts it in place. */
export const restoringName = (path: string): string => `${path}.restoring`

/**
 * Checks that nothing is left of a missing file: SQLite would read the left log into the new file, and damage it.
 * @throws Error with one sentence.
 */
export function checkNothingLeft(path: string): void {
  if (existsSync(restoringName(path))) throw new Error(`A restore of ${path} was interrupted: run it again`)
  const log = `${path}-wal`
  if ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) === 0) return
  throw new Error(
    `${path} is missing, but ${log}, its latest commits, is there: put the file back, or remove this one, too, to begin with nothing`
  )
}

/**
 * Small pages: a write touches a page of each index, and whole pages are written to the disk twice. A log row with five
 * indexes costs 44 KiB with this size and 72 KiB with pages of 4 KiB (`npm run bench -- database-writes`). A smaller page
 * would hold one document of 500 bytes, and half of the file would be empty.
 */
const PAGE_BYTES = 2048
/** Pages that do not fit in this cache may still be in the page cache of the system. */
const PAGE_CACHE_BYTES = 32 * 1024 * 1024
/** Log size at which a checkpoint starts (`checkpoints.ts`): it moves a page once for many commits. A crash rereads the log. */
export const CHECKPOINT_BYTES = 16 * 1024 * 1024

/** Creates an empty database under a temporary name, and renames it when it is complete. */
function makeFile(path: string): void {
  checkNothingLeft(path)
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

export interface OpenOptions {
  /** Up to this many bytes of the file's pages stay in memory. */
  pageCacheBytes?: number
  /** Called with a sentence when the end of the log cannot be read. */
  onDamage?: (words: string) => void
}

/**
 * Opens (or creates) the database file for writing, with its tables.
 * Runs `then` and closes the file if that fails. Throws an Error with one sentence when the file cannot be used.
 */
export function openDatabaseFile<T>(
  path: string,
  { pageCacheBytes, onDamage }: OpenOptions,
  then: (writer: Connection, format: number) => T
): T {
  if (existsSync(path)) checkHeader(path)
  else makeFile(path)
  const writer = openConnection(path, { cacheKiB: Math.round((pageCacheBytes ?? PAGE_CACHE_BYTES) / 1024) })
  try {
    const format = readFormat(writer, path)
    const [pageBytes] = writer.get('PRAGMA page_size') ?? [PAGE_BYTES]
    // NORMAL: SQLite syncs only to keep the file consistent. Commits are synced off the event loop (`disk-sync.ts`).
    // secure_delete: deleted personal data must not stay in free pages of the file.
    writer.exec(
      `PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON;
       PRAGMA wal_autocheckpoint = ${Math.round(CHECKPOINT_BYTES / Number(pageBytes))}; PRAGMA journal_size_limit = 67108864;`
    )
    const damage = logDamage(writer, path, Number(pageBytes))
    if (damage !== null) onDamage?.(damage)
    return then(writer, format)
  } catch (cause) {
    writer.close()
    throw sqliteFailure(cause, path)
  }
}
