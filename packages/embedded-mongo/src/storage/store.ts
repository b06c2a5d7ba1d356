import { createDocumentCache, type DocumentCache } from './cache.ts'
import { createCatalog, type Catalog } from './catalog.ts'
import type { Collection } from './catalog-tables.ts'
import { openConnection, type Connection } from './file/connection.ts'
import { CHECKPOINT_BYTES, openDatabaseFile, type OpenOptions } from './file/database-file.ts'
import { startCheckpoint, type StartCheckpoint } from './file/checkpoint-worker.ts'
import { createCheckpoints } from './file/checkpoints.ts'
import { createDiskSync, type SyncFile } from './file/disk-sync.ts'
import { allEntries } from './indexes/entries.ts'
import { createGroupCommit, type GroupCommit } from './group-commit.ts'
import { createRecent, FEW_ROWS, makeRecentTable, RECENT_ENTRIES, type Recent } from './indexes/recent.ts'
import { createScratch, type Scratch } from './scratch.ts'

/** The database file, its tables, and the parts of them in memory. */
export interface Store extends GroupCommit {
  path: string
  /** The format of the file when it was opened. */
  format: number
  writer: Connection
  catalog: Catalog
  recent: Recent
  cache: DocumentCache
  scratch: Scratch
  /** Opens a connection for the snapshot of a transaction. */
  openReader(): Connection
  /** Returns the size of the database file. */
  sizeBytes(): number
  collectionBytes(collection: Collection): { documents: number; indexes: number }
  /** Empties the caches of pages and documents, except for pages that are in use. */
  releaseMemory(): void
  close(): void
}

export interface StoreOptions extends OpenOptions {
  /** The size of the cache of decoded documents. */
  cacheBytes?: number
  /** How many entries of an index are gathered in memory. Those of its first rows (as many, 256 at most) are not. */
  recentEntries?: number
  syncFile?: SyncFile
  /** The length of the log at which it is moved to the file. */
  checkpointBytes?: number
  startCheckpoint?: StartCheckpoint
  /** Called when a sync failed: the content of the file is unknown until it is opened again. */
  onLost?: (cause: Error) => void
  /** Called when the disk has no room for a write, which is rolled back. */
  onFull?: () => void
}

/** Opens (or creates) the database file. Throws an Error with one sentence when it cannot be used. */
export const openStore = (path: string, options: StoreOptions = {}): Store =>
  openDatabaseFile(path, options, (writer, format) => ({ ...makeStore(path, writer, options), format }))

const CACHE_BYTES = 64 * 1024 * 1024

function makeStore(path: string, writer: Connection, options: StoreOptions): Omit<Store, 'format'> {
  const mostRecent = options.recentEntries ?? RECENT_ENTRIES
  const catalog = createCatalog(writer, Math.min(FEW_ROWS, mostRecent))
  const recent = createRecent(writer, catalog, mostRecent)
  const cache = createDocumentCache(options.cacheBytes ?? CACHE_BYTES)
  const disk = createDiskSync(`${path}-wal`, options.syncFile)
  const { lose, ...commits } = createGroupCommit({
    writer,
    path,
    synced: disk.synced,
    onRolledBack: (what) => {
      catalog.reload(what)
      recent.recount()
      cache.clear()
    },
    onCommitted: () => {
      recent.moveSome()
      checkpoints.look()
    },
    onLost: options.onLost,
    onFull: options.onFull
  })
  commits.onCommit(catalog.markUncounted, (ok) => {
    if (ok) catalog.committed()
  })
  const checkpoints = createCheckpoints({
    writer,
    path,
    bytes: options.checkpointBytes ?? CHECKPOINT_BYTES,
    start: options.startCheckpoint ?? startCheckpoint,
    onFailedSync: lose
  })
  let closed = false

  return {
    ...commits,
    path,
    writer,
    catalog,
    recent,
    cache,
    scratch: createScratch(path),
    sizeBytes: () => {
      const [pages] = writer.get('PRAGMA page_count') ?? [0]
      const [size] = writer.get('PRAGMA page_size') ?? [0]
      return Number(pages) * Number(size)
    },
    collectionBytes: (collection) => bytesOf(writer, collection),
    openReader: () => {
      const reader = openConnection(path, { readOnly: true, cacheKiB: 4 * 1024 })
      makeRecentTable(reader)
      return reader
    },
    releaseMemory: () => {
      cache.clear()
      writer.exec('PRAGMA shrink_memory')
    },
    close: () => {
      if (closed) return
      closed = true
      commits.flush()
      recent.moveAll()
      try {
        catalog.saveCounts()
      } catch {
        // A full disk: the next start counts the documents.
      }
      disk.close()
      checkpoints.close(() => {
        writer.forget()
        try {
          writer.exec('PRAGMA wal_checkpoint(TRUNCATE)')
        } catch {
          // A full disk: the log stays, and the next start reads it.
        }
        writer.close()
      })
    }
  }
}

function bytesOf(writer: Connection, { id, indexes }: Collection): { documents: number; indexes: number } {
  const sum = (sql: string): number => Number((writer.get(sql) ?? [0])[0] ?? 0)
  return {
    documents: sum(`SELECT coalesce(sum(length(bson)), 0) FROM docs_${id}`),
    indexes: indexes.reduce(
      (total, index) => total + sum(`SELECT coalesce(sum(length(key) + 8), 0) FROM ${allEntries(writer, index)}`),
      0
    )
  }
}
