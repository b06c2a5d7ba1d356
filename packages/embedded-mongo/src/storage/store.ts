import { existsSync, openSync, closeSync, readSync } from 'node:fs'
import { createDocumentCache, type DocumentCache } from './cache.ts'
import { CATALOG_TABLES, createCatalog, type Catalog, type Collection } from './catalog.ts'
import { openConnection, type Connection } from './connection.ts'
import { MongoError } from '../errors.ts'
import { sqliteFailure } from './failure.ts'

/** The layout of the file; a newer one than this program knows is refused. */
const FORMAT = 1

export type Store = {
  path: string
  writer: Connection
  catalog: Catalog
  cache: DocumentCache
  /**
   * Runs statements inside the commit of this turn of the event loop: what is written until the turn
   * ends becomes durable together, by one fsync. When a statement fails (a full disk), the whole
   * commit is rolled back and everybody who waits for it is told.
   */
  write<T>(statements: () => T): T
  /** As `write`; a MongoError on the way takes back these statements and no others. */
  attempt<T>(statements: () => T): T
  /** Resolves once everything written so far is on the disk; rejects when it could not be. */
  durable(): Promise<void>
  /**
   * The error of the last commit that failed, and null until then. Who sees it change while working may
   * have written to, or read from, a commit that was rolled back.
   */
  lastFailure(): Error | null
  /** Commits at once; for what must not share a commit. */
  flush(): void
  /** Rolls the open commit back: a group of writes failed half way. */
  abandon(cause: unknown): void
  /** Called inside each commit just before it, and after it. */
  onCommit(before: () => void, after: (ok: boolean) => void): void
  /** A connection that sees one moment of the committed data, for a transaction. */
  openReader(): Connection
  /** Bytes of the database file. */
  sizeBytes(): number
  collectionBytes(collection: Collection): { documents: number; indexes: number }
  close(): void
}

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

/** Opens (or makes) the database file. Throws an Error with one sentence when it cannot be used. */
export const openStore = (path: string, options: { cacheBytes?: number } = {}): Store => {
  checkHeader(path)
  const writer = openConnection(path, { cacheKiB: 32 * 1024 })
  try {
    writer.exec(
      'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 2000; PRAGMA journal_size_limit = 67108864;'
    )
    // One process owns the file; a second one must not write beside this one's caches.
    const [format] = writer.get('PRAGMA user_version') ?? [0]
    if (Number(format) > FORMAT) throw new Error(`${path} was written by a newer version of this program`)
    writer.exec(
      `BEGIN IMMEDIATE; ${CATALOG_TABLES} ${RETRY_TABLE} ${CHANGE_TABLES} PRAGMA user_version = ${FORMAT}; COMMIT;`
    )
    return makeStore(path, writer, options.cacheBytes ?? 64 * 1024 * 1024)
  } catch (cause) {
    writer.close()
    throw sqliteFailure(cause, path)
  }
}

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

const makeStore = (path: string, writer: Connection, cacheBytes: number): Store => {
  const catalog = createCatalog(writer)
  const cache = createDocumentCache(cacheBytes)
  const before: (() => void)[] = []
  const after: ((ok: boolean) => void)[] = []
  let open = false
  let pending: PromiseWithResolvers<void> | null = null
  let failure: unknown = null
  let lastFailure: Error | null = null
  let abandoned: unknown = null
  let closed = false

  const rollBack = (): void => {
    // SQLite has rolled back by itself after some errors (a full disk among them).
    if (writer.database.isTransaction) writer.exec('ROLLBACK')
    writer.forget()
    catalog.reload()
    cache.clear()
  }

  const begin = (): void => {
    try {
      writer.exec('BEGIN IMMEDIATE')
    } catch (cause) {
      throw sqliteFailure(cause, path)
    }
    open = true
  }

  const flush = (): void => {
    if (!open) return
    open = false
    const waiting = pending
    pending = null
    let error = failure
    failure = null
    if (!error) {
      try {
        for (const step of before) step()
        catalog.saveCounts()
        writer.exec('COMMIT')
      } catch (cause) {
        error = sqliteFailure(cause, path)
      }
    }
    if (error) rollBack()
    if (error && error !== abandoned) lastFailure = error instanceof Error ? error : new Error('the commit failed')
    abandoned = null
    for (const step of after) step(!error)
    if (error) waiting?.reject(error)
    else waiting?.resolve()
  }

  const write = <T>(statements: () => T): T => {
    if (!open) {
      begin()
      setImmediate(flush)
    }
    try {
      return statements()
    } catch (cause) {
      // A refusal before the first statement: nothing is half done.
      if (cause instanceof MongoError) throw cause
      const error = sqliteFailure(cause, path)
      failure = error
      flush()
      throw error
    }
  }

  return {
    path,
    writer,
    catalog,
    cache,
    write,
    attempt: (statements) =>
      write(() => {
        // Taking back reads the catalog again: what this commit has counted must be in it.
        catalog.saveCounts()
        writer.exec('SAVEPOINT attempt')
        try {
          return statements()
        } catch (cause) {
          if (cause instanceof MongoError) {
            writer.exec('ROLLBACK TO attempt')
            writer.forget()
            catalog.reload()
          }
          throw cause
        } finally {
          if (writer.database.isTransaction) writer.exec('RELEASE attempt')
        }
      }),
    durable: () => {
      if (!open) return Promise.resolve()
      if (!pending) {
        pending = Promise.withResolvers()
        // Somebody always waits through another promise; this one alone must not end the process.
        pending.promise.catch(() => {})
      }
      return pending.promise
    },
    lastFailure: () => lastFailure,
    flush,
    abandon: (cause) => {
      if (!open) return
      // Only its own writes are in this commit: nobody else need be told.
      abandoned = cause
      failure = cause
      flush()
    },
    onCommit: (first, then) => {
      before.push(first)
      after.push(then)
    },
    sizeBytes: () => {
      const [pages] = writer.get('PRAGMA page_count') ?? [0]
      const [size] = writer.get('PRAGMA page_size') ?? [0]
      return Number(pages) * Number(size)
    },
    collectionBytes: (collection) => {
      const sum = (sql: string): number => Number((writer.get(sql) ?? [0])[0] ?? 0)
      return {
        documents: sum(`SELECT coalesce(sum(length(bson)), 0) FROM docs_${collection.id}`),
        indexes: collection.indexes.reduce(
          (total, { id }) => total + sum(`SELECT coalesce(sum(length(key) + 8), 0) FROM index_${id}`),
          0
        )
      }
    },
    openReader: () => openConnection(path, { readOnly: true, cacheKiB: 4 * 1024 }),
    close: () => {
      if (closed) return
      closed = true
      flush()
      writer.forget()
      writer.exec('PRAGMA wal_checkpoint(TRUNCATE)')
      writer.close()
    }
  }
}
