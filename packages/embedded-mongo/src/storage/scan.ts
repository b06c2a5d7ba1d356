import type { SQLOutputValue } from 'node:sqlite'
import type { KeyRange } from '../planner/bounds.ts'
import type { Collection } from './catalog.ts'
import type { Connection } from './connection.ts'
import type { Index } from './index-spec.ts'
import { PAUSE, type Slice, type Stream } from './pause.ts'
import { rowByKey, type Row } from './rows.ts'

/** A row on its way through an index, with the key that led to it. */
export type KeyedRow = Row & { key: Buffer }

/** Where rows are read from, and how many the reader wants as far as that is known. */
export interface Source {
  connection: Connection
  collection: Collection
  slice: Slice
  wanted: number | null
}
export type IndexScan = Source & { index: Index }

/** The first page is what is wanted, or small where nobody knows; later ones are large. */
const pageSize = (page: number, wanted: number | null): number =>
  page === 0 && wanted !== null ? Math.max(1, Math.min(wanted, 512)) : Math.min(32 * 4 ** page, 256)

function asBuffer(value: SQLOutputValue | undefined): Buffer {
  const bytes = value as Uint8Array
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/**
 * Rows of one key range in key order. Reads page by page and keeps only the position between pages,
 * so an open cursor holds no lock and no memory; like MongoDB's cursors it is no snapshot.
 */
export function* scanRange(
  { connection, collection, index, slice, wanted }: IndexScan,
  range: KeyRange,
  direction: 1 | -1
): Stream<KeyedRow> {
  const select = `SELECT i.key, i.rid, d.bson FROM index_${index.id} i CROSS JOIN docs_${collection.id} d ON d.rid = i.rid`
  const order = direction === 1 ? 'ORDER BY i.key, i.rid LIMIT ?' : 'ORDER BY i.key DESC, i.rid DESC LIMIT ?'
  const first = `${select} WHERE i.key >= ? AND i.key < ? ${order}`
  const next = index.unique
    ? direction === 1
      ? `${select} WHERE i.key > ?1 AND i.key < ?3 AND ?2 = ?2 ${order.replace('?', '?4')}`
      : `${select} WHERE i.key < ?1 AND i.key >= ?3 AND ?2 = ?2 ${order.replace('?', '?4')}`
    : direction === 1
      ? `${select} WHERE (i.key, i.rid) > (?1, ?2) AND i.key < ?3 ${order.replace('?', '?4')}`
      : `${select} WHERE (i.key, i.rid) < (?1, ?2) AND i.key >= ?3 ${order.replace('?', '?4')}`
  let last: KeyedRow | null = null
  for (let page = 0; ; page++) {
    const size = pageSize(page, wanted)
    const rows: SQLOutputValue[][] = last
      ? connection.all(next, last.key, last.rid, direction === 1 ? range.to : range.from, size)
      : connection.all(first, range.from, range.to, size)
    for (const [key, rid, bson] of rows) {
      last = { key: asBuffer(key), rid: Number(rid), bson: bson as Uint8Array, document: null }
      yield last
    }
    if (rows.length < size) return
    if (slice.isOver()) yield PAUSE
  }
}

/** The documents that whole keys of a unique index lead to: half the work of a range. */
export function* readKeys({ connection, collection, index }: IndexScan, keys: readonly KeyRange[]): Stream<Row> {
  for (const { from } of keys) {
    const row = rowByKey(connection, collection, index, from)
    if (row) yield row
  }
}

/** All rows of a collection in the order in which they were inserted. */
export function* scanAll({ connection, collection, slice, wanted }: Source, direction: 1 | -1): Stream<Row> {
  const sql =
    direction === 1
      ? `SELECT rid, bson FROM docs_${collection.id} WHERE rid > ? ORDER BY rid LIMIT ?`
      : `SELECT rid, bson FROM docs_${collection.id} WHERE rid < ? ORDER BY rid DESC LIMIT ?`
  let last = direction === 1 ? -Number.MAX_SAFE_INTEGER : Number.MAX_SAFE_INTEGER
  for (let page = 0; ; page++) {
    const size = pageSize(page, wanted)
    const rows = connection.all(sql, last, size)
    for (const [rid, bson] of rows) {
      last = Number(rid)
      yield { rid: last, bson: bson as Uint8Array, document: null, passing: true }
    }
    if (rows.length < size) return
    if (slice.isOver()) yield PAUSE
  }
}

/** Several ranges one after another, in the direction of the scan. */
export function* scanRanges(scan: IndexScan, ranges: readonly KeyRange[], direction: 1 | -1): Stream<KeyedRow> {
  for (const range of direction === 1 ? ranges : ranges.toReversed()) {
    yield* scanRange(scan, range, direction)
  }
}

/**
 * Several ranges at once, merged by the key after the first `prefixes[i]` bytes of each: how
 * `{ deviceId: { $in: [...] } }` sorted by time is read from an index on both without sorting.
 */
export function* mergeScan(
  scan: IndexScan,
  ranges: readonly KeyRange[],
  prefixes: readonly number[],
  direction: 1 | -1
): Stream<KeyedRow> {
  const heads: { source: Stream<KeyedRow>; row: KeyedRow; rest: Buffer; prefix: number }[] = []
  // Each range gives a few of what is wanted; most of them give nothing beyond their first page.
  const wanted = Math.min(32, Math.ceil((scan.wanted ?? 64) / ranges.length) + 1)
  for (const [i, range] of ranges.entries()) {
    const source = scanRange({ ...scan, wanted }, range, direction)
    const row = yield* nextOf(source)
    const prefix = prefixes[i] ?? 0
    if (row) heads.push({ source, row, prefix, rest: row.key.subarray(prefix) })
  }
  while (heads.length > 0) {
    let best = heads[0]
    for (const head of heads) {
      if (best && Buffer.compare(head.rest, best.rest) * direction < 0) best = head
    }
    if (!best) return
    yield best.row
    const row = yield* nextOf(best.source)
    if (row) {
      best.row = row
      best.rest = row.key.subarray(best.prefix)
    } else heads.splice(heads.indexOf(best), 1)
  }
}

/** The next row of a stream, passing its pauses on; null at its end. */
function* nextOf(source: Stream<KeyedRow>): Generator<typeof PAUSE, KeyedRow | null, undefined> {
  for (;;) {
    const step = source.next()
    if (step.done) return null
    if (step.value !== PAUSE) return step.value
    yield PAUSE
  }
}

/** Ranges of one index. */
export interface IndexRanges {
  index: Index
  ranges: readonly KeyRange[]
}

/** Every number of terms is a statement of its own, which is kept. */
const MAX_TERMS = 32

/** How many different documents stand in any of these ranges, `limit` at most; null for too many ranges. */
export function countDistinct(connection: Connection, places: readonly IndexRanges[], limit: number): number | null {
  const terms = places.flatMap(({ index, ranges }) => ranges.map((range) => ({ index, range })))
  if (terms.length > MAX_TERMS) return null
  if (terms.length === 0) return 0
  const each = terms.map(({ index }) => `SELECT rid FROM index_${index.id} WHERE key >= ? AND key < ?`)
  const found = connection.get(
    `SELECT count(*) FROM (SELECT DISTINCT rid FROM (${each.join(' UNION ALL ')}) LIMIT ?)`,
    ...terms.flatMap(({ range: { from, to } }) => [from, to]),
    Number.isFinite(limit) ? limit : -1
  )
  return Number(found?.[0] ?? 0)
}

/** How many entries an index has in ranges: documents, while no array is in the index. */
export const countRanges = (connection: Connection, index: Index, ranges: readonly KeyRange[]): number =>
  ranges.reduce((sum, { from, to }) => {
    const [n] = connection.get(`SELECT count(*) FROM index_${index.id} WHERE key >= ? AND key < ?`, from, to) ?? [0]
    return sum + Number(n)
  }, 0)
