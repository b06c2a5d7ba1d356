import type { Collection } from './catalog.ts'
import type { Connection } from './connection.ts'

const pageSize = 1000

/** Every document of a collection as it is stored, in the order of insertion; one page is in memory at a time. */
export function* storedDocuments(
  connection: Pick<Connection, 'all'>,
  { id }: Pick<Collection, 'id'>
): Generator<readonly [rid: number, bson: Uint8Array]> {
  let last = 0
  for (;;) {
    const page = connection.all(`SELECT rid, bson FROM docs_${id} WHERE rid > ? ORDER BY rid LIMIT ${pageSize}`, last)
    for (const [rid, bson] of page) {
      last = Number(rid)
      yield [last, bson as Uint8Array]
    }
    if (page.length < pageSize) return
  }
}
