import type { Document } from '../bson/document.ts'
import type { Plan } from '../planner/plan.ts'
import type { Collection } from './catalog-tables.ts'
import type { Slice, Stream } from './pause.ts'
import type { Row, WholeRow } from './rows.ts'
import type { Asked } from './scan.ts'
import type { Scratch } from './scratch.ts'

/** The target of an update: a replacement, the paths of its operators, or null, which means to compare the documents. */
export type Touched = 'replaced' | string[][] | null

/** A write, for the change log and for waiting commands. */
export type Change =
  | { kind: 'insert'; document: Document }
  | { kind: 'update'; before: Document; document: Document; touched: Touched }
  | { kind: 'delete'; before: Document }

/**
 * The data that a command sees: the newest state, or inside a transaction its snapshot with its own writes on top. Commands
 * access documents only through a view.
 */
export interface View {
  collection(namespace: string): Collection | null
  /** Returns the collection, which it creates if it is missing. */
  ensure(namespace: string): Collection
  /** Streams the rows of a plan. `ordered` is false when the view adds rows out of index order; no rows are skipped then. */
  rows(collection: Collection, plan: Plan, slice: Slice, asked: Asked): { rows: Stream<Row>; ordered: boolean }
  /** Returns the present version of the row; null when it was removed. */
  current(collection: Collection, row: Pick<Row, 'rid'>): Row | null
  documentOf(collection: Collection, row: Row): Document
  /** Returns the document, or only these fields of it. */
  fieldsOf(collection: Collection, row: Row, fields: ReadonlySet<string>): Document
  insert(collection: Collection, document: Document): void
  replace(collection: Collection, row: Row, after: WholeRow, touched: Touched): void
  remove(collection: Collection, row: Row): void
  /** Returns the number of documents, if that is known without reading them. */
  count(collection: Collection): number | null
  readonly inTransaction: boolean
  /** Disk space for data of a query that exceeds the memory. */
  readonly scratch: Scratch
}

/** Thrown when an open transaction has written the row. The command must wait for its end and try again. */
export class WaitFor extends Error {
  readonly ended: Promise<void>
  constructor(ended: Promise<void>) {
    super('a document is being written by an open transaction')
    this.ended = ended
  }
}
