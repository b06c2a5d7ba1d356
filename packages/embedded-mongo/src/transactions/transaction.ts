import { MongoError, writeConflict } from '../errors.ts'
import type { Document } from '../bson/document.ts'
import { decodeDocument } from '../bson/decode.ts'
import { encodeStored } from '../bson/encode.ts'
import { planRows } from '../planner/execute.ts'
import { PAUSE, type Stream } from '../storage/pause.ts'
import type { Collection } from '../storage/catalog-tables.ts'
import type { Connection } from '../storage/connection.ts'
import { duplicateKey } from '../storage/duplicate.ts'
import { holderOf } from '../storage/entries.ts'
import type { Index } from '../storage/index-spec.ts'
import type { Row, Rows, WholeRow } from '../storage/rows.ts'
import type { Store } from '../storage/store.ts'
import { idKeyOf } from '../storage/live-view.ts'
import type { Touched, View } from '../storage/view.ts'
import type { Locks } from './locks.ts'

/** One write of a transaction, in the order in which it was made. */
type Operation =
  | { kind: 'insert'; namespace: string; document: Document }
  | { kind: 'replace'; namespace: string; before: Document; after: WholeRow; touched: Touched }
  | { kind: 'remove'; namespace: string; before: Document }

/** What the transaction has made of one collection. */
interface Overlay {
  /** Rows of the snapshot that were replaced (a row) or removed (null), and new rows (negative ids). */
  rows: Map<number, Row | null>
  /** Keys of unique indexes that rows of the overlay hold, and the same by row. */
  keys: Map<string, number>
  keysOfRow: Map<number, readonly string[]>
}

export interface Transaction {
  view: View
  /** Resolves when it is over, either way. */
  ended: Promise<void>
  isEmpty(): boolean
  /** Writes everything at once; the caller waits for durability. */
  commit(live: View): void
  /** Lets go of the snapshot and of everything that waits for it. */
  end(): void
}

/** MongoDB bounds a transaction by its 16 MiB oplog entries; memory is what bounds it here. */
const MAX_BYTES = 64 * 1024 * 1024

export interface TransactionOptions {
  store: Store
  rows: Rows
  locks: Locks<{ ended: Promise<void> }>
  reader: Connection
  release: () => void
}

/**
 * A snapshot of the committed data with this transaction's own writes laid over it. The first writer
 * of a document wins: a second transaction gets a write conflict at once, single writes wait.
 */
export function createTransaction({ store, rows, locks, reader, release }: TransactionOptions): Transaction {
  const { promise: ended, resolve: finish } = Promise.withResolvers<void>()
  const overlays = new Map<number, Overlay>()
  const operations: Operation[] = []
  const owner = { ended }
  // Collections as they were when the snapshot was taken.
  const versions = new Map(store.catalog.all().map(({ id, version }) => [id, version]))
  let fresh = -1
  let bytes = 0
  let over = false

  const overlayOf = (collection: Collection): Overlay => {
    const known = overlays.get(collection.id)
    if (known) return known
    const made: Overlay = { rows: new Map(), keys: new Map(), keysOfRow: new Map() }
    overlays.set(collection.id, made)
    return made
  }

  const inSnapshot = (collection: Collection): boolean => versions.has(collection.id)

  const checkVersion = (collection: Collection): void => {
    const version = versions.get(collection.id)
    if (version !== undefined && version !== collection.version) {
      throw new MongoError(
        246,
        `Unable to read from a snapshot due to pending collection catalog changes to collection '${collection.namespace}'`
      )
    }
  }

  const keyName = (index: Index, key: Buffer): string => `${index.id}:${key.toString('latin1')}`

  const snapshotHolder = (collection: Collection, index: Index, key: Buffer): number | null => {
    if (!inSnapshot(collection)) return null
    return holderOf(reader, index, key)
  }

  /** Takes the key for this transaction, or says why it cannot. */
  const claim = (collection: Collection, index: Index, key: Buffer, rid: number, document: Document): void => {
    const overlay = overlayOf(collection)
    const own = overlay.keys.get(keyName(index, key))
    if (own !== undefined && own !== rid) throw duplicateKey(collection.namespace, index, document, key)
    const seen = snapshotHolder(collection, index, key)
    if (seen !== null && seen !== rid && !overlay.rows.has(seen))
      throw duplicateKey(collection.namespace, index, document, key)
    lock(index, key)
    const now = holderOf(store.writer, index, key)
    if (now !== null && now !== rid && !overlay.rows.has(now)) throw writeConflict()
  }

  const lock = (index: Index, key: Buffer): void => {
    const holder = locks.owner(index.id, key)
    if (holder && holder !== owner) throw writeConflict()
    locks.take(index.id, key, owner)
  }

  /** The row must still be what the snapshot shows, and nobody else's. */
  const claimRow = (collection: Collection, row: Row, document: Document): void => {
    const [idIndex] = collection.indexes
    if (!idIndex) return
    lock(idIndex, idKeyOf(collection, document))
    if (row.rid < 0 || overlayOf(collection).rows.has(row.rid)) return
    const current = rows.byRid(collection, row.rid)
    if (!current || Buffer.compare(current.bson, row.bson) !== 0) throw writeConflict()
  }

  /** Claims the unique keys of a document; the others are made too, for what cannot be indexed is refused now. */
  const claimKeys = (collection: Collection, document: Document, rid: number): string[] =>
    collection.indexes.flatMap((index) => {
      const { keys } = rows.keysOf(index, document)
      if (!index.unique) return []
      return keys.map((key) => {
        claim(collection, index, key, rid, document)
        return keyName(index, key)
      })
    })

  const letGo = (overlay: Overlay, rid: number): void => {
    for (const name of overlay.keysOfRow.get(rid) ?? []) overlay.keys.delete(name)
    overlay.keysOfRow.delete(rid)
  }

  const put = (collection: Collection, row: WholeRow, held: readonly string[]): void => {
    const overlay = overlayOf(collection)
    letGo(overlay, row.rid)
    for (const name of held) overlay.keys.set(name, row.rid)
    overlay.keysOfRow.set(row.rid, held)
    bytes += row.bson.length
    if (bytes > MAX_BYTES)
      throw new MongoError(257, `Total size of all transaction operations must be less than ${MAX_BYTES} bytes`)
    overlay.rows.set(row.rid, row)
  }

  const documentOf = (_collection: Collection, row: Row): Document => (row.document ??= decodeDocument(row.bson))

  function* laidOver(found: Stream<Row>, overlay: Overlay): Stream<Row> {
    for (const row of found) if (row === PAUSE || !overlay.rows.has(row.rid)) yield row
    for (const row of overlay.rows.values()) if (row) yield row
  }

  function* nothing(): Stream<Row> {}

  const view: View = {
    inTransaction: true,
    scratch: store.scratch,
    collection: (namespace) => {
      const collection = store.catalog.get(namespace)
      if (collection) checkVersion(collection)
      return collection
    },
    ensure: (namespace) => {
      const known = view.collection(namespace)
      if (known) return known
      const made = store.write(() => store.catalog.create(namespace, {}))
      store.flush()
      return made
    },
    rows: (collection, plan, slice, asked) => {
      const overlay = overlays.get(collection.id)
      const found = inSnapshot(collection)
        ? planRows(plan, { connection: reader, collection, slice, ...asked }, { keys: 0, documents: 0 })
        : nothing()
      return overlay ? { rows: laidOver(found, overlay), ordered: false } : { rows: found, ordered: true }
    },
    current: (collection, row) => {
      const own = overlays.get(collection.id)?.rows.get(row.rid)
      if (own !== undefined) return own
      if (row.rid < 0 || !inSnapshot(collection)) return null
      const found = reader.get(`SELECT bson FROM docs_${collection.id} WHERE rid = ?`, row.rid)
      return found ? { rid: row.rid, bson: found[0] as Uint8Array, document: null } : null
    },
    documentOf,
    fieldsOf: documentOf,
    insert: (collection, document) => {
      const rid = fresh--
      const row = { rid, bson: encodeStored(document, 'inserted'), document }
      put(collection, row, claimKeys(collection, document, rid))
      operations.push({ kind: 'insert', namespace: collection.namespace, document })
    },
    replace: (collection, row, after, touched) => {
      const before = documentOf(collection, row)
      claimRow(collection, row, before)
      const held = claimKeys(collection, after.document, row.rid)
      operations.push({ kind: 'replace', namespace: collection.namespace, before, after, touched })
      put(collection, after, held)
    },
    remove: (collection, row) => {
      const before = documentOf(collection, row)
      claimRow(collection, row, before)
      const overlay = overlayOf(collection)
      letGo(overlay, row.rid)
      if (row.rid < 0) overlay.rows.delete(row.rid)
      else overlay.rows.set(row.rid, null)
      operations.push({ kind: 'remove', namespace: collection.namespace, before })
    },
    count: () => null
  }

  return {
    view,
    ended,
    isEmpty: () => operations.length === 0,
    commit: (live) => {
      // From here on the keys are free for the live view, which is about to write them.
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

/** Every write was claimed when it was made, so nothing can stand in its way now. */
function replay(operation: Operation, live: View, rows: Rows, store: Store): void {
  const collection = store.catalog.get(operation.namespace)
  if (!collection) throw new MongoError(246, `collection '${operation.namespace}' was dropped during the transaction`)
  if (operation.kind === 'insert') return live.insert(collection, operation.document)
  const row = rows.byId(collection, operation.before['_id'])
  if (!row) throw writeConflict()
  if (operation.kind === 'remove') live.remove(collection, row)
  else live.replace(collection, row, { ...operation.after, rid: row.rid }, operation.touched)
}
