import type { Document } from '../bson/document.ts'
import type { Plan } from '../planner/plan.ts'
import type { Collection } from './catalog-tables.ts'
import type { Slice, Stream } from './pause.ts'
import type { Row, WholeRow } from './rows.ts'
import type { Asked } from './scan.ts'
import type { Scratch } from './scratch.ts'

/** What an update wrote to: a replacement, the paths of its operators, or (null) to be found by comparing. */
export type Touched = 'replaced' | string[][] | null

/** What a write does, for the change log and for the waiting of others. */
export type Change =
  | { kind: 'insert'; document: Document }
  | { kind: 'update'; before: Document; document: Document; touched: Touched }
  | { kind: 'delete'; before: Document }

/**
 * The data as one command sees it: the newest committed state, or inside a transaction its snapshot
 * with its own writes laid over. Commands know no other way to documents.
 */
export interface View {
  collection(namespace: string): Collection | null
  /** The collection, made if it is not there yet. */
  ensure(namespace: string): Collection
  /** Rows that a plan finds. `ordered` is false when the view had to add rows out of index order; then none is passed either. */
  rows(collection: Collection, plan: Plan, slice: Slice, asked: Asked): { rows: Stream<Row>; ordered: boolean }
  /** The row as it is now, or null when it is gone. */
  current(collection: Collection, row: Pick<Row, 'rid'>): Row | null
  documentOf(collection: Collection, row: Row): Document
  /** The document, or no more of it than these fields. */
  fieldsOf(collection: Collection, row: Row, fields: ReadonlySet<string>): Document
  insert(collection: Collection, document: Document): void
  replace(collection: Collection, row: Row, after: WholeRow, touched: Touched): void
  remove(collection: Collection, row: Row): void
  /** How many documents there are, where that is known without reading them. */
  count(collection: Collection): number | null
  readonly inTransaction: boolean
  /** Where a query puts down what memory has no room for. */
  readonly scratch: Scratch
}

/** Thrown when a row is being written by an open transaction: wait for its end, then try again. */
export class WaitFor extends Error {
  readonly ended: Promise<void>
  constructor(ended: Promise<void>) {
    super('a document is being written by an open transaction')
    this.ended = ended
  }
}
