import { createDocumentCache, type DocumentCache } from './cache.ts'
import { createCatalog, type Catalog, type Collection } from './catalog.ts'
import { openConnection, type Connection } from './connection.ts'
import { CHECKPOINT_BYTES, openDatabaseFile } from './database-file.ts'
import { startCheckpoint, type StartCheckpoint } from './checkpoint-worker.ts'
import { createCheckpoints } from './checkpoints.ts'
import { createDiskSync, type SyncFile } from './disk-sync.ts'
import { MongoError } from '../errors.ts'
import { allEntries } from './entries.ts'
import { createRecent, FEW_ROWS, makeRecentTable, RECENT_ENTRIES, type Recent } from './recent.ts'
import { createScratch, type Scratch } from './scratch.ts'
import { isDiskFailure, sqliteFailure } from './failure.ts'

export interface Store {
  path: string
  /** The layout that the file was found in. */
  format: number
  writer: Connection
  catalog: Catalog
  recent: Recent
  cache: DocumentCache
  scratch: Scratch
  /**
   * Runs statements inside the open commit, which holds what is written until somebody asks for the disk (then it ends with
   * this turn of the event loop) or until it has waited long enough. When a statement fails (a full disk), the whole
   * commit is rolled back and everybody who waits for it is told.
   */
  write<T>(statements: () => T): T
  /** As `write`; an error on the way, but for the disk's, takes back these statements and no others. */
  attempt<T>(statements: () => T): T
  /** Resolves once everything written so far is on the disk and survives a power cut; rejects when it could not be. */
  durable(): Promise<void>
  /** As `durable`, in no hurry: the commit may wait for others' writes, for `gatherMs` at most. */
  gathered(): Promise<void>
  /** Grows with every write. */
  writes(): number
  /**
   * The error of the last commit that failed, and null until then. Who sees it change while working may
   * have written to, or read from, a commit that was rolled back.
   */
  lastFailure(): Error | null
  /** The disk has failed: nothing can be written any more. */
  isLost(): boolean
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

export interface StoreOptions {
  /** In memory: of documents as they are read, and of the file's pages. */
  cacheBytes?: number
  pageCacheBytes?: number
  /** The longest that a write which says so waits for others to share its commit; 0: none waits. */
  gatherMs?: number
  /** So many entries of an index gather in memory; its first rows, as many or 256, do not. */
  recentEntries?: number
  syncFile?: SyncFile
  /** The length of the log that is moved to the file. */
  checkpointBytes?: number
  startCheckpoint?: StartCheckpoint
  /** The disk did not take what was committed: what lies in the file is unknown until it is opened anew. */
  onLost?: (cause: Error) => void
}

/** Opens (or makes) the database file. Throws an Error with one sentence when it cannot be used. */
export const openStore = (path: string, options: StoreOptions = {}): Store =>
  openDatabaseFile(path, options.pageCacheBytes, (writer, format) => ({ ...makeStore(path, writer, options), format }))

const GATHER_MS = 250
/** A commit of more writes than this waits for no others: it holds many pages already, which they would hardly share. */
const MOST_GATHERED = 500

/** The writes of one commit. */
interface Group {
  durable: PromiseWithResolvers<void>
  timer: NodeJS.Timeout
  writes: number
  /** It ends with this turn of the event loop. */
  isEnding: boolean
}

function makeStore(path: string, writer: Connection, options: StoreOptions): Omit<Store, 'format'> {
  const mostRecent = options.recentEntries ?? RECENT_ENTRIES
  const catalog = createCatalog(writer, Math.min(FEW_ROWS, mostRecent))
  const recent = createRecent(writer, catalog, mostRecent)
  const cache = createDocumentCache(options.cacheBytes ?? 64 * 1024 * 1024)
  const disk = createDiskSync(`${path}-wal`, options.syncFile)
  const before: (() => void)[] = []
  const after: ((ok: boolean) => void)[] = []
  const gatherMs = options.gatherMs ?? GATHER_MS
  let open: Group | null = null
  let lastDurable = Promise.resolve()
  let writes = 0
  let failure: unknown = null
  let lost: Error | null = null
  let lastFailure: Error | null = null
  let abandoned: unknown = null
  let closed = false

  const rollBack = (): void => {
    // SQLite has rolled back by itself after some errors (a full disk among them).
    if (writer.database.isTransaction) writer.exec('ROLLBACK')
    writer.forget()
    catalog.reload('commit')
    recent.recount()
    cache.clear()
  }

  const begin = (): void => {
    try {
      writer.exec('BEGIN IMMEDIATE')
    } catch (cause) {
      throw sqliteFailure(cause, path)
    }
    const durable = Promise.withResolvers<void>()
    // Somebody always waits through another promise; this alone must not end the process.
    durable.promise.catch(() => {})
    open = { durable, timer: setTimeout(flush, gatherMs), writes: 0, isEnding: false }
  }

  const endThisTurn = (): void => {
    if (!open || open.isEnding) return
    const group = open
    group.isEnding = true
    setImmediate(() => {
      if (open === group) flush()
    })
  }

  const lose = (cause: Error): void => {
    lost = new MongoError(
      14031,
      'The disk failed while it took a write. The database stops; its next start reads what the disk holds.',
      { cause }
    )
    lastFailure = lost
    options.onLost?.(lost)
  }

  const checkpoints = createCheckpoints({
    writer,
    path,
    bytes: options.checkpointBytes ?? CHECKPOINT_BYTES,
    start: options.startCheckpoint ?? startCheckpoint,
    onFailedSync: (cause) => {
      if (!lost) lose(cause)
    }
  })

  const flush = (): void => {
    if (!open) return
    const group = open
    open = null
    clearTimeout(group.timer)
    let error = failure
    failure = null
    if (!error) {
      try {
        for (const step of before) step()
        catalog.markUncounted()
        writer.exec('COMMIT')
        catalog.committed()
      } catch (cause) {
        error = sqliteFailure(cause, path)
      }
    }
    if (error) rollBack()
    if (error && error !== abandoned) lastFailure = error instanceof Error ? error : new Error('the commit failed')
    abandoned = null
    if (!error) lastDurable = group.durable.promise
    for (const step of after) step(!error)
    if (error) {
      group.durable.reject(error)
    } else {
      disk.synced().then(group.durable.resolve, (cause: Error) => {
        if (!lost) lose(cause)
        group.durable.reject(lost)
      })
      // While the disk works.
      recent.moveSome()
      checkpoints.look()
    }
  }

  const write = <T>(statements: () => T): T => {
    if (lost) throw lost
    writes++
    if (!open) begin()
    if (open && (++open.writes > MOST_GATHERED || gatherMs === 0)) endThisTurn()
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
    recent,
    cache,
    scratch: createScratch(path),
    write,
    attempt: (statements) =>
      write(() => {
        writer.exec('SAVEPOINT attempt')
        try {
          return statements()
        } catch (cause) {
          // After some errors (a full disk among them) SQLite has rolled everything back by itself.
          if (!writer.database.isTransaction || isDiskFailure(cause)) throw cause
          writer.exec('ROLLBACK TO attempt')
          writer.forget()
          catalog.reload('attempt')
          recent.recount()
          cache.clear()
          throw cause instanceof MongoError ? cause : new MongoError(1, sqliteFailure(cause, path).message, { cause })
        } finally {
          if (writer.database.isTransaction) writer.exec('RELEASE attempt')
        }
      }),
    // A sync that ends has taken with it all that was committed before.
    durable: () => {
      endThisTurn()
      return open?.durable.promise ?? lastDurable
    },
    gathered: () => open?.durable.promise ?? lastDurable,
    writes: () => writes,
    lastFailure: () => lastFailure,
    isLost: () => lost !== null,
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
          (total, index) => total + sum(`SELECT coalesce(sum(length(key) + 8), 0) FROM ${allEntries(writer, index)}`),
          0
        )
      }
    },
    openReader: () => {
      const reader = openConnection(path, { readOnly: true, cacheKiB: 4 * 1024 })
      makeRecentTable(reader)
      return reader
    },
    close: () => {
      if (closed) return
      closed = true
      flush()
      recent.moveAll()
      try {
        catalog.saveCounts()
      } catch {
        // A full disk: they are counted at the next start.
      }
      disk.close()
      checkpoints.close(() => {
        writer.forget()
        try {
          writer.exec('PRAGMA wal_checkpoint(TRUNCATE)')
        } catch {
          // A full disk: the log stays beside the file, and the next start reads it.
        }
        writer.close()
      })
    }
  }
}
