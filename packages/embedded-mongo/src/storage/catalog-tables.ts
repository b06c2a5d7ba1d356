import { decodeDocument } from '../bson/decode.ts'
import type { Document } from '../bson/document.ts'
import { MongoError } from '../errors.ts'
import type { Connection } from './file/connection.ts'
import { parseIndex, type Index } from './indexes/index-spec.ts'

/** A collection: its SQLite table is `docs_<id>`, each of its indexes `index_<index id>`. */
export interface Collection {
  id: number
  /** `database.collection` */
  namespace: string
  uuid: string
  options: Document
  indexes: Index[]
  nextRid: number
  count: number
  /** The count at the last commit. */
  committedCount: number
  /** Changes with every change of its indexes. A transaction that began before then fails. */
  version: number
}

/** A count of -1 means that the documents must be counted. */
export const CATALOG_TABLES = `
  CREATE TABLE collections(
    id INTEGER PRIMARY KEY AUTOINCREMENT, namespace TEXT NOT NULL UNIQUE, uuid TEXT NOT NULL,
    options BLOB NOT NULL, count INTEGER NOT NULL DEFAULT 0) STRICT;
  CREATE TABLE indexes(
    id INTEGER PRIMARY KEY AUTOINCREMENT, collection INTEGER NOT NULL, name TEXT NOT NULL,
    spec BLOB NOT NULL, multikey TEXT NOT NULL DEFAULT '', merged INTEGER NOT NULL DEFAULT 0, UNIQUE(collection, name)) STRICT;
`

/** The first file formats whose catalog stores which entries are only in memory: for an index, and also for a unique one. */
export const GATHERING_FORMAT = 3
const UNIQUE_GATHERING_FORMAT = 4

/** Reads the collections and their indexes from the file. */
export function readCollections(writer: Connection, nextVersion: () => number): Collection[] {
  const found = new Map<number, Collection>()
  for (const [id, namespace, uuid, options, count] of writer.all(
    'SELECT id, namespace, uuid, options, count FROM collections'
  )) {
    const [last] = writer.get(`SELECT coalesce(max(rid), 0) FROM docs_${Number(id)}`) ?? [0]
    found.set(Number(id), {
      id: Number(id),
      namespace: String(namespace),
      uuid: String(uuid),
      options: decodeDocument(options as Uint8Array),
      indexes: [],
      nextRid: Number(last) + 1,
      count: Number(count),
      committedCount: Number(count),
      version: nextVersion()
    })
  }
  const [format] = writer.get('PRAGMA user_version') ?? [0]
  const merged = Number(format) < GATHERING_FORMAT ? 'NULL' : 'merged'
  for (const [id, collection, spec, multikey, upTo] of writer.all(
    `SELECT id, collection, spec, multikey, ${merged} FROM indexes ORDER BY id`
  )) {
    const index = parseIndex(decodeDocument(spec as Uint8Array))
    index.id = Number(id)
    index.multikey = new Set(String(multikey).split('\n').filter(Boolean))
    const gathers = upTo !== null && (!index.unique || Number(format) >= UNIQUE_GATHERING_FORMAT)
    if (gathers) index.merged = Number(upTo)
    found.get(Number(collection))?.indexes.push(index)
  }
  return [...found.values()]
}

/** Returns the id of the last inserted row. */
export const lastId = (writer: Connection): number => Number((writer.get('SELECT last_insert_rowid()') ?? [0])[0])

/**
 * Counts the documents of a collection after a process was killed. Counts the entries of the `_id` index, which is smaller
 * than the documents, plus the newest rows, whose entries were only in memory.
 */
export function countDocuments(writer: Connection, { id, indexes: [idIndex] }: Collection): number {
  if (idIndex === undefined) return 0
  const [n] = writer.get(
    `SELECT (SELECT count(*) FROM index_${idIndex.id}) + (SELECT count(*) FROM docs_${id} WHERE rid > ?)`,
    idIndex.merged
  ) ?? [0]
  return Number(n)
}

/** @throws MongoError InvalidNamespace */
export function checkNamespace(namespace: string): void {
  const dot = namespace.indexOf('.')
  const database = namespace.slice(0, dot)
  const name = namespace.slice(dot + 1)
  if (database === '' || /[/\\. "$*<>:|?\0]/.test(database) || Buffer.byteLength(database) > 63) {
    throw new MongoError(73, `Invalid namespace specified '${namespace}'`)
  }
  if (name === '' || name.includes('$') || name.includes('\0') || name.startsWith('.') || name.startsWith('system.')) {
    throw new MongoError(73, `Invalid namespace specified '${namespace}'`)
  }
  if (Buffer.byteLength(namespace) > 255) {
    throw new MongoError(73, `Fully qualified namespace is too long. Namespace: ${namespace} Max: 255`)
  }
}
