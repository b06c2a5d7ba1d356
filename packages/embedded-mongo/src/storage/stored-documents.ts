import type { Collection } from './catalog-tables.ts'
import type { Connection } from './file/connection.ts'

const pageSize = 1000

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
