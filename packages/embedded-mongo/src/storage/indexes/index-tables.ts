import { encodeDocument } from '../../bson/encode.ts'
import { lastId, type Collection } from '../catalog-tables.ts'
import type { Connection } from '../file/connection.ts'
import type { Index } from './index-spec.ts'

/** The indexes in the file: each has a row in the catalog and a table of entries. */
export interface IndexTables {
  addIndex(collection: Collection, index: Index): void
  dropIndex(collection: Collection, index: Index): void
  changeIndex(collection: Collection, index: Index): void
  noteArrays(index: Index, arrays: readonly string[]): void
  /** From now on, entries of new rows are gathered in memory before they are moved to the index. */
  beginGathering(collection: Collection, index: Index): void
}

/** `fewRows`: the entries of an index with at most this many rows are not gathered in memory, because it has few pages. */
export function createIndexTables(writer: Connection, fewRows: number, nextVersion: () => number): IndexTables {
  const beginGathering = ({ nextRid }: Collection, index: Index): void => {
    index.merged = Math.max(nextRid - 1, fewRows)
    writer.run('UPDATE indexes SET merged = ? WHERE id = ?', index.merged, index.id)
  }

  return {
    addIndex: (collection, index) => {
      writer.run(
        'INSERT INTO indexes(collection, name, spec) VALUES(?, ?, ?)',
        collection.id,
        index.name,
        encodeDocument(index.spec)
      )
      index.id = lastId(writer)
      // SQLite itself enforces uniqueness, so that a bug above it causes an error, never a duplicate.
      writer.exec(
        index.unique
          ? `CREATE TABLE index_${index.id}(key BLOB NOT NULL PRIMARY KEY, rid INTEGER NOT NULL) WITHOUT ROWID, STRICT`
          : `CREATE TABLE index_${index.id}(key BLOB NOT NULL, rid INTEGER NOT NULL, PRIMARY KEY(key, rid)) WITHOUT ROWID, STRICT`
      )
      beginGathering(collection, index)
      collection.indexes.push(index)
      collection.version = nextVersion()
    },
    dropIndex: (collection, index) => {
      writer.forget()
      dropEntries(writer, index)
      writer.run('DELETE FROM indexes WHERE id = ?', index.id)
      collection.indexes = collection.indexes.filter((other) => other !== index)
      collection.version = nextVersion()
    },
    changeIndex: (collection, index) => {
      writer.run('UPDATE indexes SET spec = ? WHERE id = ?', encodeDocument(index.spec), index.id)
      collection.version = nextVersion()
    },
    noteArrays: (index, arrays) => {
      const before = index.multikey.size
      for (const part of arrays) index.multikey.add(part)
      if (index.multikey.size !== before) {
        writer.run('UPDATE indexes SET multikey = ? WHERE id = ?', [...index.multikey].join('\n'), index.id)
      }
    },
    beginGathering
  }
}

/** Drops the entries of an index in its table and in memory. */
export function dropEntries(writer: Connection, { id }: Index): void {
  writer.exec(`DROP TABLE index_${id}`)
  if (writer.recent.delete(id)) writer.run('DELETE FROM temp.recent WHERE idx = ?', id)
}
