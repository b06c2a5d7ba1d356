import { encodeKey, rankOfType } from '../bson/key.ts'
import type { Engine } from '../engine.ts'
import { keyRange, type KeyRange } from '../planner/bounds.ts'
import type { Collection } from './catalog-tables.ts'
import type { Index } from './indexes/index-spec.ts'
import { createSlice, PAUSE } from './pause.ts'
import { scanRange } from './scan.ts'
import { WaitFor } from './view.ts'

/** Documents deleted in one turn of the event loop. */
const BATCH = 200

/**
 * Deletes the documents that have expired by a TTL index at `now`: their date (or earliest date of an array) is
 * `expireAfterSeconds` ago. Values that are no dates never expire. Returns the number of deleted documents.
 */
export async function expireDocuments(
  engine: Pick<Engine, 'store' | 'rows' | 'live' | 'now'>,
  now = engine.now()
): Promise<number> {
  const { store } = engine
  let deleted = 0
  for (const collection of store.catalog.all()) {
    for (const index of collection.indexes) {
      // Collection and index may be dropped, or the expiry changed, between two rounds.
      while (store.catalog.get(collection.namespace) === collection && collection.indexes.includes(index)) {
        const range = expired(index, now)
        if (!range) break
        const gone = deleteSome(engine, collection, index, range)
        deleted += gone
        await store.durable()
        await new Promise(setImmediate)
        if (gone < BATCH) break
      }
    }
  }
  return deleted
}

/** Returns the key range of the expired dates of an index; null if it has no expiry. */
function expired({ fields: [field], expireAfterSeconds }: Index, now: number): KeyRange | null {
  if (expireAfterSeconds === null || !field) return null
  const latest = encodeKey(new Date(now - expireAfterSeconds * 1000))
  const dates = { low: Buffer.from([rankOfType.date]), lowInside: true, high: latest, highInside: true }
  return keyRange(Buffer.alloc(0), dates, field.direction)
}

function deleteSome(
  { store, rows, live }: Pick<Engine, 'store' | 'rows' | 'live'>,
  collection: Collection,
  index: Index,
  range: KeyRange
): number {
  const ids = new Set<number>()
  for (const row of scanRange(
    { connection: store.writer, collection, index, slice: createSlice(() => 0), wanted: BATCH, pass: 0 },
    range,
    1
  )) {
    if (row !== PAUSE) ids.add(row.rid)
    if (ids.size >= BATCH) break
  }
  let gone = 0
  for (const rid of ids) {
    const row = rows.byRid(collection, rid)
    if (!row) continue
    try {
      live.remove(collection, row)
      gone++
    } catch (error) {
      // An open transaction holds the document: a later round deletes it.
      if (!(error instanceof WaitFor)) throw error
    }
  }
  return gone
}
