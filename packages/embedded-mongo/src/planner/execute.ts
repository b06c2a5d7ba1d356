import type { TextOrder } from '../bson/compare.ts'
import type { Document } from '../bson/document.ts'
import { MongoError } from '../errors.ts'
import { PAUSE, type Slice, type Stream } from '../storage/pause.ts'
import type { Row } from '../storage/rows.ts'
import { mergeScan, readKeys, scanAll, scanRanges, type Source } from '../storage/scan.ts'
import { sortDocuments, type SortField } from '../query/sort.ts'
import type { Plan } from './plan.ts'

/** MongoDB's bound for a sort in memory; beyond it an index has to serve the sort. */
const SORT_LIMIT_BYTES = 100 * 1024 * 1024

export type Counters = { keys: number; documents: number }

/** The rows that a plan finds, each once, not yet filtered. */
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
      // An array puts a document into the index more than once.
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
    // A page of large documents that all fail the filter must not hold the loop either.
    else if (++examined % 64 === 0 && slice.isOver()) yield PAUSE
  }
}

/** Sorts in memory, keeping no more than `keep` rows beside the ones being read. */
export function* sortRows(
  rows: Stream<Row>,
  fields: readonly SortField[],
  text: TextOrder,
  keep: number,
  documentOf: (row: Row) => Document
): Stream<Row> {
  let held: Row[] = []
  let bytes = 0
  for (const row of rows) {
    if (row === PAUSE) {
      yield row
      continue
    }
    held.push(row)
    bytes += row.bson.length
    if (Number.isFinite(keep) && held.length >= keep * 2 + 1024) {
      held = sortDocuments(held, fields, text, documentOf).slice(0, keep)
      bytes = held.reduce((sum, { bson }) => sum + bson.length, 0)
    }
    if (bytes > SORT_LIMIT_BYTES) {
      throw new MongoError(
        292,
        `Executor error during find command :: caused by :: Sort exceeded memory limit of ${SORT_LIMIT_BYTES} bytes, but did not opt in to external sorting.`
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
