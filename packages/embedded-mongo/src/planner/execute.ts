import { compareText, type TextOrder } from '../bson/compare.ts'
import type { Document } from '../bson/document.ts'
import { encodeCompoundKey } from '../bson/key.ts'
import { MongoError } from '../errors.ts'
import { PAUSE, type Slice, type Stream } from '../storage/pause.ts'
import type { Row } from '../storage/rows.ts'
import { mergeScan, readKeys, scanAll, scanRanges, type Source } from '../storage/scan.ts'
import type { Scratch } from '../storage/scratch.ts'
import { createSorter, type ItemForm } from '../storage/sorter.ts'
import { createSortRow, sortDocuments, type SortField } from '../query/sort.ts'
import type { Plan } from './plan.ts'

/** Memory limit of a sort by a collation, which is done in memory. */
const COLLATED_BYTES = 32 * 1024 * 1024
const RID_BYTES = 8

export interface Counters {
  keys: number
  documents: number
}

/** Tells whether each key that the plan reads is one row, so that rows can be skipped by their keys. */
export const passesRows = (plan: Plan): boolean =>
  plan.kind === 'index' && !plan.single && plan.merge === null && plan.index.multikey.size === 0

/** Streams the rows of a plan, each once, not yet filtered. */
export function* planRows(plan: Plan, source: Source, counters: Counters): Stream<Row> {
  switch (plan.kind) {
    case 'none':
      return
    case 'scan':
      for (const row of scanAll(source, plan.direction)) {
        if (row !== PAUSE) counters.documents++
        yield row
      }
      return
    case 'or': {
      const seen = new Set<number>()
      for (const branch of plan.branches) {
        for (const row of planRows(branch, source, counters)) {
          if (row === PAUSE) yield row
          else if (!seen.has(row.rid)) {
            seen.add(row.rid)
            yield row
          }
        }
      }
      return
    }
    case 'index': {
      const { index, ranges, direction, merge } = plan
      const scan = { ...source, index }
      const rows = plan.single
        ? readKeys(scan, ranges)
        : merge
          ? mergeScan(scan, ranges, merge, direction)
          : scanRanges(scan, ranges, direction)
      // A document with an array is in the index more than once.
      const seen = index.multikey.size > 0 ? new Set<number>() : null
      for (const row of rows) {
        if (row === PAUSE) {
          yield row
          continue
        }
        counters.keys++
        if (seen?.has(row.rid)) continue
        seen?.add(row.rid)
        counters.documents++
        yield row
      }
    }
  }
}

export function* filterRows(rows: Stream<Row>, test: ((row: Row) => boolean) | null, slice: Slice): Stream<Row> {
  let examined = 0
  for (const row of rows) {
    if (row === PAUSE || test === null || test(row)) yield row
    // A page of large documents that all fail the filter must not block the event loop, either.
    else if (++examined % 64 === 0 && slice.isOver()) yield PAUSE
  }
}

const rowForm: ItemForm<Row> = {
  size: ({ bson }) => bson.length,
  encode: ({ rid, bson }) => {
    const head = Buffer.allocUnsafe(RID_BYTES)
    head.writeDoubleLE(rid, 0)
    return Buffer.concat([head, bson])
  },
  decode: (bytes) => ({ rid: bytes.readDoubleLE(0), bson: bytes.subarray(RID_BYTES), document: null })
}

export interface RowSort {
  fields: readonly SortField[]
  text: TextOrder
  /** The number of first rows that are needed. */
  keep: number
  scratch: Scratch
  documentOf(row: Row): Document
}

/** Sorts rows, on the disk if they do not fit in memory. */
export function sortRows(rows: Stream<Row>, sort: RowSort): Stream<Row> {
  return sort.text === compareText ? sortByKeys(rows, sort) : sortByOrder(rows, sort)
}

function* sortByKeys(rows: Stream<Row>, { fields, text, keep, scratch, documentOf }: RowSort): Stream<Row> {
  const directions = fields.map(({ direction }) => direction)
  const rowOf = createSortRow(fields, text)
  const sorter = createSorter(scratch, rowForm, keep)
  try {
    for (const row of rows) {
      if (row === PAUSE) {
        yield row
        continue
      }
      const key = encodeCompoundKey(rowOf(documentOf(row)), directions)
      // Drop the decoded document, which takes several times as much memory.
      sorter.add(key, { rid: row.rid, bson: row.bson, document: null })
    }
    yield* sorter.sorted()
  } finally {
    sorter.close()
  }
}

/** Sorts in memory, for a collation whose order cannot be encoded in keys. */
function* sortByOrder(rows: Stream<Row>, { fields, text, keep, documentOf }: RowSort): Stream<Row> {
  let held: Row[] = []
  let bytes = 0
  for (const row of rows) {
    if (row === PAUSE) {
      yield row
      continue
    }
    held.push({ rid: row.rid, bson: row.bson, document: null })
    bytes += row.bson.length
    if (Number.isFinite(keep) && held.length >= keep * 2 + 1024) {
      held = sortDocuments(held, fields, text, documentOf).slice(0, keep)
      bytes = held.reduce((sum, { bson }) => sum + bson.length, 0)
    }
    if (bytes > COLLATED_BYTES) {
      throw new MongoError(
        292,
        `Executor error during find command :: caused by :: Sort by a collation exceeded memory limit of ${COLLATED_BYTES} bytes.`
      )
    }
  }
  yield* sortDocuments(held, fields, text, documentOf).slice(0, keep)
}

export function* skipAndLimit<T>(items: Stream<T>, skip: number, limit: number): Stream<T> {
  let passed = 0
  if (limit <= 0) return
  for (const item of items) {
    if (item === PAUSE) {
      yield item
      continue
    }
    if (passed++ < skip) continue
    yield item
    if (passed >= skip + limit) return
  }
}
