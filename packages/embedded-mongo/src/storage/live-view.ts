import { encodeKey } from '../bson/key.ts'
import type { Document } from '../bson/document.ts'
import { MongoError } from '../errors.ts'
import { planRows, type Counters } from '../planner/execute.ts'
import type { Locks } from '../transactions/locks.ts'
import type { Collection } from './catalog-tables.ts'
import type { Rows } from './rows.ts'
import type { Store } from './store.ts'
import { WaitFor, type Change, type View } from './view.ts'

export interface LiveViewOptions {
  store: Store
  rows: Rows
  locks: Locks<{ ended: Promise<void> }>
  /** Called before each change; the returned function writes it to the change log, in the same commit. */
  prepareEvent: (collection: Collection, change: Change) => () => void
  counters?: Counters
}

/** Returns the key of a document in the `_id` index, which identifies the document in locks. */
export const idKeyOf = (collection: Collection, document: Document): Buffer =>
  encodeKey(document['_id'], collection.indexes[0]?.collation?.fold ?? null)

/** Creates a view of the newest state. Writes wait for open transactions that hold the document or a unique key. */
export function createLiveView({
  store,
  rows,
  locks,
  prepareEvent,
  counters = { keys: 0, documents: 0 }
}: LiveViewOptions): View {
  const free = (index: number, key: Buffer): void => {
    const owner = locks.owner(index, key)
    if (owner) throw new WaitFor(owner.ended)
  }
  /** Throws when the collection was dropped while a long command was writing to it. */
  const present = (collection: Collection): void => {
    if (store.catalog.get(collection.namespace) !== collection) {
      throw new MongoError(175, `collection '${collection.namespace}' was dropped or renamed meanwhile`)
    }
  }
  const freeDocument = (collection: Collection, document: Document): void => {
    if (!locks.isEmpty()) free(collection.indexes[0]?.id ?? 0, idKeyOf(collection, document))
  }
  const freeKeys = (collection: Collection, document: Document): void => {
    if (locks.isEmpty()) return
    for (const index of collection.indexes) {
      if (index.unique) for (const key of rows.keysOf(index, document).keys) free(index.id, key)
    }
  }

  return {
    inTransaction: false,
    scratch: store.scratch,
    collection: (namespace) => store.catalog.get(namespace),
    ensure: (namespace) => store.catalog.get(namespace) ?? store.write(() => store.catalog.create(namespace, {})),
    rows: (collection, plan, slice, asked) => ({
      rows: planRows(plan, { connection: store.writer, collection, slice, ...asked }, counters),
      ordered: true
    }),
    current: (collection, row) => rows.byRid(collection, row.rid),
    documentOf: rows.documentOf,
    fieldsOf: rows.fieldsOf,
    insert: (collection, document) => {
      present(collection)
      freeKeys(collection, document)
      const logEvent = prepareEvent(collection, { kind: 'insert', document })
      rows.insert(collection, document)
      logEvent()
    },
    replace: (collection, row, after, touched) => {
      present(collection)
      const before = rows.documentOf(collection, row)
      freeDocument(collection, before)
      freeKeys(collection, after.document)
      const logEvent = prepareEvent(collection, { kind: 'update', before, document: after.document, touched })
      rows.replace(collection, row, after)
      logEvent()
    },
    remove: (collection, row) => {
      present(collection)
      const before = rows.documentOf(collection, row)
      freeDocument(collection, before)
      const logEvent = prepareEvent(collection, { kind: 'delete', before })
      rows.remove(collection, row)
      logEvent()
    },
    count: (collection) => collection.count
  }
}
