import type { SQLOutputValue } from 'node:sqlite'
import type { KeyRange } from '../planner/bounds.ts'
import type { Collection } from './catalog-tables.ts'
import type { Connection } from './file/connection.ts'
import { countEntries, queryEntries } from './indexes/entries.ts'
import type { Index } from './indexes/index-spec.ts'
import { PAUSE, type Pause, type Slice, type Stream } from './pause.ts'
import { rowByKey, type Row } from './rows.ts'

/** A row found by an index, with its key. */
export type KeyedRow = Row & { key: Buffer }

/** Hints of a reader about the rows that it will read. */
export interface Asked {
  /** The number of rows, if known. */
  wanted: number | null
  /** How many of the index's first rows to skip; only when `passesRows` allows it. */
  pass: number
}

/** The source of rows. */
export interface Source extends Asked {
  connection: Connection
  collection: Collection
  slice: Slice
}
export type IndexScan = Source & { index: Index }

/** Returns the size of a page: the wanted number for the first one, or small if that is unknown; larger later. */
const pageSize = (page: number, wanted: number | null): number =>
  page === 0 && wanted !== null ? Math.max(1, Math.min(wanted, 512)) : Math.min(32 * 4 ** page, 256)

function asBuffer(value: SQLOutputValue | undefined): Buffer {
  const bytes = value as Uint8Array
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

interface Position {
  key: Buffer
  rid: number
}

/** Builds the SQL condition for the rows after the position (?1, ?2), up to the end of the key range (?3). */
const behind = ({ unique }: Index, direction: 1 | -1): string =>
  direction === 1
    ? `${unique ? 'i.key > ?1 AND ?2 = ?2' : '(i.key, i.rid) > (?1, ?2)'} AND i.key < ?3`
    : `${unique ? 'i.key < ?1 AND ?2 = ?2' : '(i.key, i.rid) < (?1, ?2)'} AND i.key >= ?3`

const within = 'i.key >= ?1 AND i.key < ?2'

/** Orders by key and row, the first two columns. */
const inOrder = (direction: 1 | -1): string => (direction === 1 ? 'ORDER BY 1, 2' : 'ORDER BY 1 DESC, 2 DESC')

/** Number of keys that one statement skips. */
const PASSED_AT_ONCE = 4096

/** Skips rows by reading only their keys. Returns the last skipped one; null when the range has no more rows. */
function* passRows(
  { connection, index, slice }: IndexScan,
  range: KeyRange,
  direction: 1 | -1,
  rest: { pass: number }
): Generator<Pause, Position | null, undefined> {
  const select = (where: string): string => queryEntries(connection, index, { columns: 'i.key, i.rid', where })
  const order = inOrder(direction)
  const end = direction === 1 ? range.to : range.from
  let last: Position | null = null
  while (rest.pass > 0) {
    const step = Math.min(rest.pass, PASSED_AT_ONCE)
    const found: SQLOutputValue[] | undefined = last
      ? connection.get(
          `${select(behind(index, direction))} ${order} LIMIT 1 OFFSET ?4`,
          last.key,
          last.rid,
          end,
          step - 1
        )
      : connection.get(`${select(within)} ${order} LIMIT 1 OFFSET ?3`, range.from, range.to, step - 1)
    if (found === undefined) {
      const left = last
        ? connection.get(countEntries(connection, index, behind(index, direction)), last.key, last.rid, end)
        : connection.get(countEntries(connection, index, within), range.from, range.to)
      rest.pass -= Number(left?.[0] ?? 0)
      return null
    }
    last = { key: asBuffer(found[0]), rid: Number(found[1]) }
    rest.pass -= step
    if (slice.isOver()) yield PAUSE
  }
  return last
}

/**
 * Streams the rows of one key range in key order. Reads page by page and keeps only the position between pages, so that an
 * open cursor holds no lock and no memory. Like MongoDB's cursors it is no snapshot.
 */
export function* scanRange(
  scan: IndexScan,
  range: KeyRange,
  direction: 1 | -1,
  rest: { pass: number } = { pass: 0 }
): Stream<KeyedRow> {
  const { connection, collection, index, slice, wanted } = scan
  const join = `CROSS JOIN docs_${collection.id} d ON d.rid = i.rid`
  // Build the query for each page, because entries may move between memory and the table in the meantime.
  const select = (where: string): string =>
    `${queryEntries(connection, index, { columns: 'i.key, i.rid, d.bson', join, where })} ${inOrder(direction)}`
  let last: Position | null = null
  if (rest.pass > 0) {
    last = yield* passRows(scan, range, direction, rest)
    if (last === null) return
  }
  for (let page = 0; ; page++) {
    const size = pageSize(page, wanted)
    const rows: SQLOutputValue[][] = last
      ? connection.all(
          `${select(behind(index, direction))} LIMIT ?4`,
          last.key,
          last.rid,
          direction === 1 ? range.to : range.from,
          size
        )
      : connection.all(`${select(within)} LIMIT ?3`, range.from, range.to, size)
    for (const [key, rid, bson] of rows) {
      const row: KeyedRow = { key: asBuffer(key), rid: Number(rid), bson: bson as Uint8Array, document: null }
      last = row
      yield row
    }
    if (rows.length < size) return
    if (slice.isOver()) yield PAUSE
  }
}

/** Reads the documents with given keys of a unique index, which is half the work of a range. */
export function* readKeys({ connection, collection, index }: IndexScan, keys: readonly KeyRange[]): Stream<Row> {
  for (const { from } of keys) {
    const row = rowByKey(connection, collection, index, from)
    if (row) yield row
  }
}

/** Streams all rows of a collection in insertion order. */
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

/** Scans several ranges one after another, in the direction of the scan. */
export function* scanRanges(scan: IndexScan, ranges: readonly KeyRange[], direction: 1 | -1): Stream<KeyedRow> {
  const rest = { pass: scan.pass }
  for (const range of direction === 1 ? ranges : ranges.toReversed()) {
    yield* scanRange(scan, range, direction, rest)
  }
}

/**
 * Scans several ranges at once and merges them by the key without the first `prefixes[i]` bytes of each. This reads
 * `{ deviceId: { $in: [...] } }` sorted by time from an index on both fields, without sorting.
 */
export function* mergeScan(
  scan: IndexScan,
  ranges: readonly KeyRange[],
  prefixes: readonly number[],
  direction: 1 | -1
): Stream<KeyedRow> {
  const heads: { source: Stream<KeyedRow>; row: KeyedRow; rest: Buffer; prefix: number }[] = []
  // Each range yields a small part of the wanted rows; most never need a second page.
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

/** Returns the next row of a stream, passing on its pauses; null at its end. */
function* nextOf(source: Stream<KeyedRow>): Generator<typeof PAUSE, KeyedRow | null, undefined> {
  for (;;) {
    const step = source.next()
    if (step.done) return null
    if (step.value !== PAUSE) return step.value
    yield PAUSE
  }
}

export interface IndexRanges {
  index: Index
  ranges: readonly KeyRange[]
}

/** Limits the number of prepared statements: there is one for each number of terms. */
const MAX_TERMS = 32

/** Counts the distinct documents in any of these ranges, up to `limit`; null for too many ranges. */
export function countDistinct(connection: Connection, places: readonly IndexRanges[], limit: number): number | null {
  const terms = places.flatMap(({ index, ranges }) => ranges.map((range) => ({ index, range })))
  if (terms.length > MAX_TERMS) return null
  if (terms.length === 0) return 0
  const each = terms.map(({ index }, i) => {
    const where = `i.key >= ?${2 * i + 1} AND i.key < ?${2 * i + 2}`
    return queryEntries(connection, index, { columns: 'i.rid', where })
  })
  const found = connection.get(
    `SELECT count(*) FROM (SELECT DISTINCT rid FROM (${each.join(' UNION ALL ')}) LIMIT ?${2 * terms.length + 1})`,
    ...terms.flatMap(({ range: { from, to } }) => [from, to]),
    Number.isFinite(limit) ? limit : -1
  )
  return Number(found?.[0] ?? 0)
}

/** Counts the entries of an index in ranges. These are documents as long as the index contains no array. */
export const countRanges = (connection: Connection, index: Index, ranges: readonly KeyRange[]): number =>
  ranges.reduce((sum, { from, to }) => {
    const [n] = connection.get(countEntries(connection, index, within), from, to) ?? [0]
    return sum + Number(n)
  }, 0)
