import { decodeDocument } from '../bson/decode.ts'
import type { Collection } from './catalog-tables.ts'
import type { Connection } from './file/connection.ts'
import { isFailedRead } from './file/failure.ts'

const pageSize = 1000
/** So many rows in a row that cannot be read are taken for the end of a collection whose last row is not known. */
const unreadableAtEnd = 100_000

/** Reads the stored documents of a collection, or those after a row, in insertion order, with one page in memory at a time. */
export function* storedDocuments(
  connection: Pick<Connection, 'all'>,
  { id }: Pick<Collection, 'id'>,
  after = 0
): Generator<readonly [rid: number, bson: Uint8Array]> {
  let last = after
  for (;;) {
    const page = connection.all(`SELECT rid, bson FROM docs_${id} WHERE rid > ? ORDER BY rid LIMIT ${pageSize}`, last)
    for (const [rid, bson] of page) {
      last = Number(rid)
      yield [last, bson as Uint8Array]
    }
    if (page.length < pageSize) return
  }
}

/** Reads what can be read of a collection whose file may be damaged, in insertion order. */
export function* readableDocuments(
  connection: Pick<Connection, 'all'>,
  collection: Pick<Collection, 'id' | 'nextRid'>
): Generator<Uint8Array> {
  let last = 0
  try {
    for (const [rid, bson] of storedDocuments(connection, collection)) {
      last = rid
      yield bson
    }
    return
  } catch (error) {
    if (!isFailedRead(error)) throw error
  }
  // Each row is looked up alone, because a damaged page may name any row as the next one.
  const isKnown = Number.isFinite(collection.nextRid)
  for (let rid = last + 1; rid < (isKnown ? collection.nextRid : last + unreadableAtEnd); rid++) {
    const bson = readableDocument(connection, collection, rid)
    if (bson === null) continue
    last = rid
    yield bson
  }
}

function readableDocument(
  connection: Pick<Connection, 'all'>,
  { id }: Pick<Collection, 'id'>,
  rid: number
): Uint8Array | null {
  try {
    const [row] = connection.all(`SELECT bson FROM docs_${id} WHERE rid = ?`, rid)
    if (row === undefined) return null
    const bson = row[0] as Uint8Array
    decodeDocument(bson)
    return bson
  } catch {
    return null
  }
}
