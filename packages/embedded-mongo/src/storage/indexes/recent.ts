import { decodeDocument } from '../../bson/decode.ts'
import type { Catalog } from '../catalog.ts'
import type { Collection } from '../catalog-tables.ts'
import type { Connection } from '../file/connection.ts'
import { holderOf } from './entries.ts'
import type { Index } from './index-spec.ts'
import type { KeysOf } from './index-keys.ts'
import { storedDocuments } from '../stored-documents.ts'

/**
 * Gathers index entries of new rows. Written directly, each would touch a page of its own if the index is not ordered by
 * time. A temporary table in memory collects them, and many at once move to the table of the index in key order. The
 * entries of a row are here exactly if its id is above `index.merged`. A crash loses no entry: `load` rebuilds it from its
 * row in the file.
 */
export interface Recent {
  add(index: Index, key: Uint8Array, rid: number): void
  remove(index: Index, key: Uint8Array, rid: number): void
  /** Rebuilds the entries that the last process had not moved. Nothing is moved before that. */
  load(keysOf: KeysOf): void
  /** Moves the entries of one index with many of them, outside of any commit. */
  moveSome(): void
  /** Moves all entries if the disk has room, outside of any commit. */
  moveAll(): void
  /** Copies the entries to the transaction of a reader, whose end removes them. */
  copyTo(reader: Connection): void
  /** Counts the entries again after a rollback. */
  recount(): void
}

/** Entries gathered per index: with 200 boards some twenty of them then share a page. */
export const RECENT_ENTRIES = 4096
/** An index with this few rows has some six pages, and its entries are not gathered. */
export const FEW_ROWS = 256
/** Limit per index for long keys. */
const RECENT_BYTES = 512 * 1024
/** If there are more, they are moved before a transaction begins, so that it has few to copy. */
const COPIED_ENTRIES = 256

interface Place {
  collection: Collection
  index: Index
}

/** Creates a connection's table of recent entries. */
export const makeRecentTable = (connection: Connection): void =>
  connection.exec(
    `CREATE TEMP TABLE recent(idx INTEGER NOT NULL, key BLOB NOT NULL, rid INTEGER NOT NULL,
       PRIMARY KEY(idx, key, rid)) WITHOUT ROWID, STRICT`
  )

const put = ({ run, recent }: Connection, id: number, key: Uint8Array, rid: number): void => {
  run('INSERT INTO temp.recent(idx, key, rid) VALUES(?, ?, ?)', id, key, rid)
  const { entries, bytes } = recent.get(id) ?? { entries: 0, bytes: 0 }
  recent.set(id, { entries: entries + 1, bytes: bytes + key.length })
}

export function createRecent(writer: Connection, catalog: Catalog, mostEntries: number): Recent {
  const { recent } = writer
  let isLoaded = false
  /** Number of entries at the last failed move, by index. The next try waits for as many more as usual. */
  const refused = new Map<number, number>()
  makeRecentTable(writer)

  const gathering = (): Place[] =>
    catalog
      .all()
      .flatMap((collection) => collection.indexes.map((index) => ({ collection, index })))
      .filter(({ index }) => recent.has(index.id))

  /** Moves entries in a commit of its own, so that no client's write fails when the disk has no room for this. */
  const move = (places: readonly Place[]): void => {
    if (!isLoaded || places.length === 0 || writer.database.isTransaction) return
    try {
      writer.exec('BEGIN IMMEDIATE')
      for (const { collection, index } of places) moveEntries(writer, index, collection.nextRid - 1)
      writer.exec('COMMIT')
      for (const { collection, index } of places) {
        index.merged = collection.nextRid - 1
        recent.delete(index.id)
        refused.delete(index.id)
      }
    } catch {
      if (writer.database.isTransaction) writer.exec('ROLLBACK')
      for (const { index } of places) refused.set(index.id, recent.get(index.id)?.entries ?? 0)
    }
  }

  const isFull = ({ index }: Place): boolean => {
    const { entries, bytes } = recent.get(index.id) ?? { entries: 0, bytes: 0 }
    return entries - (refused.get(index.id) ?? 0) >= mostEntries || (bytes > RECENT_BYTES && !refused.has(index.id))
  }

  return {
    add: (index, key, rid) => {
      if (index.unique && holderOf(writer, index, key) !== null) throw new Error(`index ${index.name} holds such a key`)
      put(writer, index.id, key, rid)
    },
    remove: ({ id }, key, rid) => {
      writer.run('DELETE FROM temp.recent WHERE idx = ? AND key = ? AND rid = ?', id, key, rid)
      const { entries = 0, bytes = 0 } = recent.get(id) ?? {}
      if (entries > 1) recent.set(id, { entries: entries - 1, bytes: bytes - key.length })
      else recent.delete(id)
    },
    load: (keysOf) => {
      writer.exec('BEGIN')
      for (const collection of catalog.all()) loadCollection(writer, collection, keysOf)
      writer.exec('COMMIT')
      isLoaded = true
    },
    moveSome: () => {
      if (recent.size > 0) move(gathering().filter(isFull).slice(0, 1))
    },
    moveAll: () => move(gathering()),
    copyTo: (reader) => {
      reader.recent.clear()
      for (const [id, key, rid] of recent.size === 0 ? [] : writer.all('SELECT idx, key, rid FROM temp.recent'))
        put(reader, Number(id), key as Uint8Array, Number(rid))
    },
    recount: () => {
      recent.clear()
      for (const [id, entries, bytes] of writer.all(
        'SELECT idx, count(*), sum(length(key)) FROM temp.recent GROUP BY idx'
      ))
        recent.set(Number(id), { entries: Number(entries), bytes: Number(bytes) })
    }
  }
}

/** Tells whether a transaction that begins now would have too many entries to copy. */
export const isMuchToCopy = ({ recent }: Connection): boolean =>
  [...recent.values()].reduce((sum, { entries }) => sum + entries, 0) > COPIED_ENTRIES

function moveEntries(writer: Connection, { id }: Index, upTo: number): void {
  writer.run(`INSERT INTO index_${id}(key, rid) SELECT key, rid FROM temp.recent WHERE idx = ? ORDER BY key, rid`, id)
  writer.run('DELETE FROM temp.recent WHERE idx = ?', id)
  writer.run('UPDATE indexes SET merged = ? WHERE id = ?', upTo, id)
}

function loadCollection(writer: Connection, collection: Collection, keysOf: KeysOf): void {
  const gathering = collection.indexes.filter(({ merged }) => merged < collection.nextRid - 1)
  const after = Math.min(...gathering.map(({ merged }) => merged))
  if (gathering.length === 0) return
  for (const [rid, bson] of storedDocuments(writer, collection, after)) {
    const document = decodeDocument(bson)
    for (const index of gathering) {
      if (rid > index.merged) for (const key of keysOf(index, document).keys) put(writer, index.id, key, rid)
    }
  }
}
