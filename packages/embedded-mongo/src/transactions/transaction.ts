import { MongoError, writeConflict } from '../errors.ts'
import type { Document } from '../bson/document.ts'
import { decodeDocument, decodeFields } from '../bson/decode.ts'
import { encodeStored } from '../bson/encode.ts'
import { planRows } from '../planner/execute.ts'
import { PAUSE, type Stream } from '../storage/pause.ts'
import type { Collection } from '../storage/catalog-tables.ts'
import type { Connection } from '../storage/file/connection.ts'
import type { Row, Rows, WholeRow } from '../storage/rows.ts'
import type { Store } from '../storage/store.ts'
import type { Touched, View } from '../storage/view.ts'
import type { Locks } from './locks.ts'
import { createOverlays } from './overlays.ts'

/** One write of a transaction. */
type Operation =
  | { kind: 'insert'; namespace: string; document: Document }
  | { kind: 'replace'; namespace: string; before: Document; after: WholeRow; touched: Touched }
  | { kind: 'remove'; namespace: string; before: Document }

export interface Transaction {
  view: View
  /** Resolves when it was committed or rolled back. */
  ended: Promise<void>
  isEmpty(): boolean
  /** Performs all writes at once. The caller waits until they are durable. */
  commit(live: View): void
  /** Releases the snapshot and the locks. */
  end(): void
}

export interface TransactionOptions {
  store: Store
  rows: Rows
  locks: Locks<{ ended: Promise<void> }>
  reader: Connection
  release: () => void
}

/**
 * Creates a transaction: a snapshot of the committed data with its own writes on top. The first writer of a document wins:
 * a second transaction gets a write conflict at once, and single writes wait.
 */
export function createTransaction({ store, rows, locks, reader, release }: TransactionOptions): Transaction {
  const { promise: ended, resolve: finish } = Promise.withResolvers<void>()
  const operations: Operation[] = []
  const owner = { ended }
  // The collections at the time of the snapshot.
  const collections = new Map(store.catalog.all().map(({ namespace, id, version }) => [namespace, { id, version }]))
  let fresh = -1
  let over = false

  const inSnapshot = ({ namespace, id }: Collection): boolean => collections.get(namespace)?.id === id
  const overlays = createOverlays({ rows, locks, owner, reader, writer: store.writer, inSnapshot })

  const checkVersion = (namespace: string, now: Collection | null): void => {
    const then = collections.get(namespace)
    if (then && (then.id !== now?.id || then.version !== now.version)) {
      throw new MongoError(
        246,
        `Unable to read from a snapshot due to pending collection catalog changes to collection '${namespace}'`
      )
    }
  }

  const documentOf = (_collection: Collection, row: Row): Document => (row.document ??= decodeDocument(row.bson))

  /**
   * Throws after a rollback: a running statement must not use a snapshot and locks that others may have by then. Writes need no
   * check of their own, because each follows `ensure`, `rows` or `current` in the same turn.
   */
  const checkOpen = (): void => {
    if (over) throw new MongoError(251, 'The transaction was rolled back while this statement was under way.')
  }

  function* whileOpen(found: Stream<Row>): Stream<Row> {
    for (const row of found) {
      yield row
      checkOpen()
    }
  }

  /** Streams each row once, in its present version, so that a cursor does not meet later writes of the transaction again. */
  function* withOwnWrites(found: Stream<Row>, collection: Collection, before: ReadonlySet<number>): Stream<Row> {
    const own = (rid: number): Row | null | undefined => overlays.rowsOf(collection)?.get(rid)
    for (const row of found) {
      const shown = row === PAUSE ? row : before.has(row.rid) ? null : own(row.rid)
      if (shown !== null) yield shown ?? row
    }
    for (const rid of before) {
      const row = own(rid)
      if (row) yield row
    }
  }

  function* nothing(): Stream<Row> {}

  const view: View = {
    inTransaction: true,
    scratch: store.scratch,
    collection: (namespace) => {
      const collection = store.catalog.get(namespace)
      checkVersion(namespace, collection)
      return collection
    },
    ensure: (namespace) => {
      checkOpen()
      const known = view.collection(namespace)
      if (known) return known
      const made = store.write(() => store.catalog.create(namespace, {}))
      store.flush()
      return made
    },
    rows: (collection, plan, slice, asked) => {
      checkOpen()
      // Rows that were written before the query may belong at any position of its result.
      const before = new Set(overlays.rowsOf(collection)?.keys())
      const found = inSnapshot(collection)
        ? planRows(plan, { connection: reader, collection, slice, ...asked }, { keys: 0, documents: 0 })
        : nothing()
      return { rows: whileOpen(withOwnWrites(found, collection, before)), ordered: before.size === 0 }
    },
    current: (collection, row) => {
      checkOpen()
      const own = overlays.rowsOf(collection)?.get(row.rid)
      if (own !== undefined) return own
      if (row.rid < 0 || !inSnapshot(collection)) return null
      const found = reader.get(`SELECT bson FROM docs_${collection.id} WHERE rid = ?`, row.rid)
      return found ? { rid: row.rid, bson: found[0] as Uint8Array, document: null } : null
    },
    documentOf,
    fieldsOf: (_collection, row, fields) => row.document ?? decodeFields(row.bson, fields),
    insert: (collection, document) => {
      const rid = fresh--
      const row = { rid, bson: encodeStored(document, 'inserted'), document }
      overlays.put(collection, row, overlays.claimKeys(collection, document, rid))
      operations.push({ kind: 'insert', namespace: collection.namespace, document })
    },
    replace: (collection, row, after, touched) => {
      const before = documentOf(collection, row)
      overlays.claimRow(collection, row, before)
      const held = overlays.claimKeys(collection, after.document, row.rid)
      operations.push({ kind: 'replace', namespace: collection.namespace, before, after, touched })
      overlays.put(collection, after, held)
    },
    remove: (collection, row) => {
      const before = documentOf(collection, row)
      overlays.claimRow(collection, row, before)
      overlays.remove(collection, row.rid)
      operations.push({ kind: 'remove', namespace: collection.namespace, before })
    },
    count: () => null
  }

  return {
    view,
    ended,
    isEmpty: () => operations.length === 0,
    commit: (live) => {
      // Release the keys, because the live view is about to write them.
      locks.release(owner)
      for (const operation of operations) replay(operation, live, rows, store)
    },
    end: () => {
      if (over) return
      over = true
      locks.release(owner)
      release()
      finish()
    }
  }
}

/** Performs a write on the live view. It cannot conflict, because its keys were locked. */
function replay(operation: Operation, live: View, rows: Rows, store: Store): void {
  const collection = store.catalog.get(operation.namespace)
  if (!collection) throw new MongoError(246, `collection '${operation.namespace}' was dropped during the transaction`)
  if (operation.kind === 'insert') return live.insert(collection, operation.document)
  const row = rows.byId(collection, operation.before['_id'])
  if (!row) throw writeConflict()
  if (operation.kind === 'remove') live.remove(collection, row)
  else live.replace(collection, row, { ...operation.after, rid: row.rid }, operation.touched)
}
