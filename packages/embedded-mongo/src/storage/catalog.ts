import { randomUUID } from 'node:crypto'
import type { Document } from '../bson/document.ts'
import { encodeDocument } from '../bson/encode.ts'
import { checkNamespace, countDocuments, lastId, readCollections, type Collection } from './catalog-tables.ts'
import { createCollectionCounts } from './collection-counts.ts'
import type { Connection } from './file/connection.ts'
import { parseIndex } from './indexes/index-spec.ts'
import { createIndexTables, dropEntries, type IndexTables } from './indexes/index-tables.ts'

export interface Catalog extends IndexTables {
  get(namespace: string): Collection | null
  list(database: string): Collection[]
  databases(): string[]
  all(): Collection[]
  create(namespace: string, options: Document): Collection
  drop(collection: Collection): void
  rename(collection: Collection, to: string): void
  noteCount(collection: Collection): void
  /**
   * Marks, once per collection, its count in the file as outdated. Called before each commit. Otherwise every commit would
   * write a page for the counts.
   */
  markUncounted(): void
  /** Called after each commit. */
  committed(): void
  /** Writes the counts, so that the next start does not have to count. */
  saveCounts(): void
  /** Reads everything again after a rollback of an attempt or of the whole commit. */
  reload(after: 'attempt' | 'commit'): void
}

/** `fewRows`: the entries of an index with at most this many rows are not gathered in memory, because it has few pages. */
export function createCatalog(writer: Connection, fewRows = Infinity): Catalog {
  let versions = 0
  const nextVersion = (): number => ++versions
  const counts = createCollectionCounts(writer)
  const indexTables = createIndexTables(writer, fewRows, nextVersion)
  /** Collections dropped in this commit, which a rollback restores. */
  const dropped = new Set<Collection>()

  const read = (): Map<string, Collection> => {
    const found = readCollections(writer, nextVersion)
    counts.found(found)
    return new Map(found.map((collection) => [collection.namespace, collection]))
  }
  let byNamespace = read()
  for (const collection of byNamespace.values()) {
    if (collection.count < 0) collection.count = collection.committedCount = countDocuments(writer, collection)
  }

  return {
    ...indexTables,
    get: (namespace) => byNamespace.get(namespace) ?? null,
    list: (database) => [...byNamespace.values()].filter(({ namespace }) => namespace.startsWith(`${database}.`)),
    databases: () => [
      ...new Set([...byNamespace.keys()].map((namespace) => namespace.slice(0, namespace.indexOf('.'))))
    ],
    all: () => [...byNamespace.values()],
    create: (namespace, options) => {
      checkNamespace(namespace)
      const uuid = randomUUID()
      writer.run(
        'INSERT INTO collections(namespace, uuid, options) VALUES(?, ?, ?)',
        namespace,
        uuid,
        encodeDocument(options)
      )
      const collection: Collection = {
        id: lastId(writer),
        namespace,
        uuid,
        options,
        indexes: [],
        nextRid: 1,
        count: 0,
        committedCount: 0,
        version: nextVersion()
      }
      writer.exec(`CREATE TABLE docs_${collection.id}(rid INTEGER PRIMARY KEY, bson BLOB NOT NULL) STRICT`)
      indexTables.addIndex(
        collection,
        parseIndex({
          key: { _id: 1 },
          name: '_id_',
          ...(options['collation'] === undefined ? {} : { collation: options['collation'] })
        })
      )
      byNamespace.set(namespace, collection)
      return collection
    },
    drop: (collection) => {
      writer.forget()
      for (const index of collection.indexes) dropEntries(writer, index)
      writer.exec(`DROP TABLE docs_${collection.id}`)
      writer.run('DELETE FROM indexes WHERE collection = ?', collection.id)
      writer.run('DELETE FROM collections WHERE id = ?', collection.id)
      byNamespace.delete(collection.namespace)
      counts.forget(collection)
      dropped.add(collection)
    },
    rename: (collection, to) => {
      checkNamespace(to)
      writer.run('UPDATE collections SET namespace = ? WHERE id = ?', to, collection.id)
      byNamespace.delete(collection.namespace)
      collection.namespace = to
      collection.version = nextVersion()
      byNamespace.set(to, collection)
    },
    noteCount: counts.note,
    markUncounted: counts.markUncounted,
    committed: () => {
      counts.committed()
      dropped.clear()
    },
    saveCounts: () => counts.save(byNamespace.values()),
    reload: (after) => {
      // Update these objects in place, because cursors and running commands hold them.
      const held = [...byNamespace.values(), ...dropped]
      if (after === 'commit') counts.takeBack(held)
      const known = new Map(held.map((collection) => [collection.id, collection]))
      byNamespace = new Map(
        [...read().values()].map((fresh) => {
          const before = known.get(fresh.id)
          if (!before) return [fresh.namespace, fresh]
          const { count, committedCount } = before
          return [fresh.namespace, Object.assign(before, fresh, { count, committedCount })]
        })
      )
    }
  }
}
