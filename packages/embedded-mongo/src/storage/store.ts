import { createDocumentCache, type DocumentCache } from './cache.ts'
import { createCatalog, type Catalog } from './catalog.ts'
import type { Collection } from './catalog-tables.ts'
import { openConnection, type Connection } from './connection.ts'
import { CHECKPOINT_BYTES, openDatabaseFile } from './database-file.ts'
import { startCheckpoint, type StartCheckpoint } from './checkpoint-worker.ts'
import { createCheckpoints } from './checkpoints.ts'
import { createDiskSync, type SyncFile } from './disk-sync.ts'
import { allEntries } from './entries.ts'
import { createGroupCommit, type GroupCommit } from './group-commit.ts'
import { createRecent, FEW_ROWS, makeRecentTable, RECENT_ENTRIES, type Recent } from './recent.ts'
import { createScratch, type Scratch } from './scratch.ts'

/** The database file, its tables, and what of them is in memory. */
export interface Store extends GroupCommit {
  path: string
  /** The layout that the file was found in. */
  format: number
  writer: Connection
  catalog: Catalog
  recent: Recent
  cache: DocumentCache
  scratch: Scratch
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
  /** So many entries of an index gather in memory; its first rows, as many or 256, do not. */
  recentEntries?: number
  syncFile?: SyncFile
  /** The length of the log that is moved to the file. */
  checkpointBytes?: number
  startCheckpoint?: StartCheckpoint
  /** The disk did not take what was committed: what lies in the file is unknown until it is opened anew. */
  onLost?: (cause: Error) => void
  /** The disk has no room for a write; what it refused is taken back. */
  onFull?: () => void
}

/** Opens (or makes) the database file. Throws an Error with one sentence when it cannot be used. */
export const openStore = (path: string, options: StoreOptions = {}): Store =>
  openDatabaseFile(path, options.pageCacheBytes, (writer, format) => ({ ...makeStore(path, writer, options), format }))

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
    onTakenBack: (what) => {
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
    close: () => {
      if (closed) return
      closed = true
      commits.flush()
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
