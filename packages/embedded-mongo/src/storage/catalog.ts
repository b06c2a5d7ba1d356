import { randomUUID } from 'node:crypto'
import type { Document } from '../bson/document.ts'
import { encodeDocument } from '../bson/encode.ts'
import { checkNamespace, countDocuments, readCollections, type Collection } from './catalog-tables.ts'
import type { Connection } from './connection.ts'
import { parseIndex, type Index } from './index-spec.ts'

export interface Catalog {
  get(namespace: string): Collection | null
  list(database: string): Collection[]
  databases(): string[]
  all(): Collection[]
  create(namespace: string, options: Document): Collection
  drop(collection: Collection): void
  rename(collection: Collection, to: string): void
  addIndex(collection: Collection, index: Index): void
  dropIndex(collection: Collection, index: Index): void
  changeIndex(collection: Collection, index: Index): void
  noteArrays(index: Index, arrays: readonly string[]): void
  /** From here on, entries of new rows gather in memory before they go to the index. */
  beginGathering(collection: Collection, index: Index): void
  noteCount(collection: Collection): void
  /**
   * Notes, once for each collection, that its count in the file is no longer true; called before each commit. A page
   * for the counts would be written with every commit otherwise.
   */
  markUncounted(): void
  /** Called after each commit. */
  committed(): void
  /** Writes the counts, so that the next start need not count. */
  saveCounts(): void
  /** Reads everything again after statements were taken back: those of an attempt, or of the whole commit. */
  reload(after: 'attempt' | 'commit'): void
}

/** `fewRows`: an index of no more rows has few pages, and gathers nothing. */
export function createCatalog(writer: Connection, fewRows = Infinity): Catalog {
  let byNamespace = new Map<string, Collection>()
  /** Counts that this commit has changed, and collections whose count in the file is not true. */
  const dirty = new Set<Collection>()
  const uncounted = new Set<number>()
  /** Of this commit: it may be rolled back, and they are there again. */
  const dropped = new Set<Collection>()
  let versions = 0

  const read = (): Map<string, Collection> => {
    const found = readCollections(writer, () => ++versions)
    for (const { id, count } of found) if (count < 0) uncounted.add(id)
    return new Map(found.map((collection) => [collection.namespace, collection]))
  }
  byNamespace = read()
  for (const collection of byNamespace.values()) {
    if (collection.count < 0) collection.count = collection.committedCount = countDocuments(writer, collection)
  }

  const lastId = (): number => Number((writer.get('SELECT last_insert_rowid()') ?? [0])[0])

  const beginGathering = ({ nextRid }: Collection, index: Index): void => {
    index.merged = Math.max(nextRid - 1, fewRows)
    writer.run('UPDATE indexes SET merged = ? WHERE id = ?', index.merged, index.id)
  }

  /** With the entries that are in memory. */
  const dropEntries = ({ id }: Index): void => {
    writer.exec(`DROP TABLE index_${id}`)
    if (writer.recent.delete(id)) writer.run('DELETE FROM temp.recent WHERE idx = ?', id)
  }

  const addIndex = (collection: Collection, index: Index): void => {
    writer.run(
      'INSERT INTO indexes(collection, name, spec) VALUES(?, ?, ?)',
      collection.id,
      index.name,
      encodeDocument(index.spec)
    )
    index.id = lastId()
    // SQLite itself holds uniqueness: a mistake above it becomes an error, never a duplicate.
    writer.exec(
      index.unique
        ? `CREATE TABLE index_${index.id}(key BLOB NOT NULL PRIMARY KEY, rid INTEGER NOT NULL) WITHOUT ROWID, STRICT`
        : `CREATE TABLE index_${index.id}(key BLOB NOT NULL, rid INTEGER NOT NULL, PRIMARY KEY(key, rid)) WITHOUT ROWID, STRICT`
    )
    beginGathering(collection, index)
    collection.indexes.push(index)
    collection.version = ++versions
  }

  const dropIndex = (collection: Collection, index: Index): void => {
    writer.forget()
    dropEntries(index)
    writer.run('DELETE FROM indexes WHERE id = ?', index.id)
    collection.indexes = collection.indexes.filter((other) => other !== index)
    collection.version = ++versions
  }

  return {
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
        id: lastId(),
        namespace,
        uuid,
        options,
        indexes: [],
        nextRid: 1,
        count: 0,
        committedCount: 0,
        version: ++versions
      }
      writer.exec(`CREATE TABLE docs_${collection.id}(rid INTEGER PRIMARY KEY, bson BLOB NOT NULL) STRICT`)
      addIndex(
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
      for (const index of collection.indexes) dropEntries(index)
      writer.exec(`DROP TABLE docs_${collection.id}`)
      writer.run('DELETE FROM indexes WHERE collection = ?', collection.id)
      writer.run('DELETE FROM collections WHERE id = ?', collection.id)
      byNamespace.delete(collection.namespace)
      dirty.delete(collection)
      dropped.add(collection)
    },
    rename: (collection, to) => {
      checkNamespace(to)
      writer.run('UPDATE collections SET namespace = ? WHERE id = ?', to, collection.id)
      byNamespace.delete(collection.namespace)
      collection.namespace = to
      collection.version = ++versions
      byNamespace.set(to, collection)
    },
    addIndex,
    dropIndex,
    changeIndex: (collection, index) => {
      writer.run('UPDATE indexes SET spec = ? WHERE id = ?', encodeDocument(index.spec), index.id)
      collection.version = ++versions
    },
    beginGathering,
    noteArrays: (index, arrays) => {
      const before = index.multikey.size
      for (const part of arrays) index.multikey.add(part)
      if (index.multikey.size !== before) {
        writer.run('UPDATE indexes SET multikey = ? WHERE id = ?', [...index.multikey].join('\n'), index.id)
      }
    },
    noteCount: (collection) => void dirty.add(collection),
    markUncounted: () => {
      for (const { id } of dirty) {
        if (uncounted.has(id)) continue
        writer.run('UPDATE collections SET count = -1 WHERE id = ?', id)
        uncounted.add(id)
      }
    },
    committed: () => {
      for (const collection of dirty) collection.committedCount = collection.count
      dirty.clear()
      dropped.clear()
    },
    saveCounts: () => {
      for (const { id, count } of byNamespace.values()) {
        if (uncounted.has(id)) writer.run('UPDATE collections SET count = ? WHERE id = ?', count, id)
      }
      uncounted.clear()
    },
    reload: (after) => {
      if (after === 'commit') {
        for (const collection of [...byNamespace.values(), ...dropped]) collection.count = collection.committedCount
        dirty.clear()
        uncounted.clear()
      }
      // Cursors and open commands hold these objects: they are brought up to date in place.
      const known = new Map([...byNamespace.values(), ...dropped].map((collection) => [collection.id, collection]))
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
