import type { Timestamp } from 'bson'
import { decodeDocument } from '../bson/decode.ts'
import type { Document } from '../bson/document.ts'
import { encodeDocument } from '../bson/encode.ts'
import type { ClusterClock } from '../clock.ts'
import { MongoError } from '../errors.ts'
import type { Collection } from '../storage/catalog-tables.ts'
import type { Store } from '../storage/store.ts'
import type { Change } from '../storage/view.ts'
import { describeChange, splitNamespace } from './change-event.ts'
import { createChangeSignal } from './change-signal.ts'
import { createChangeTable } from './change-table.ts'
import type { Scope } from './scope.ts'
import { makeToken } from './token.ts'
import { createWatchedScopes, type WatchedScopes } from './watched-scopes.ts'

export interface LoggedChange {
  seq: number
  namespace: string
  event: Document
}

/**
 * The log that change streams read. Only watched scopes are logged (a home without streams pays nothing), from the first
 * `watch` until a day after the last read. The log is bounded. A token before its beginning fails with
 * ChangeStreamHistoryLost.
 */
export interface ChangeLog extends Pick<WatchedScopes, 'touch' | 'prune'> {
  /** Encodes an event before its change is made; the returned function writes it. Throws when it is too large. */
  prepare(collection: Collection, change: Change): () => void
  dropped(namespace: string): void
  databaseDropped(database: string): void
  renamed(from: string, to: string): void
  /** Starts writing the scope to the log. */
  watch(scope: Scope): void
  /** Throws when the log of a scope does not reach back to a place. */
  checkPlace(scope: Scope, after: number): void
  placeAt(scope: Scope, time: Timestamp): number
  /** Returns the place of the newest readable entry. */
  head(): number
  /** Returns entries after a place, oldest first. Like MongoDB, only durable ones. */
  read(after: number, limit: number): LoggedChange[]
  /** Resolves when there are more entries, after `maxMs`, or when `signal` is aborted. */
  next(signal: AbortSignal, maxMs: number): Promise<void>
}

export function createChangeLog({
  store,
  clock,
  now,
  monotonic
}: {
  store: Store
  clock: ClusterClock
  now: () => number
  monotonic: () => number
}): ChangeLog {
  const signal = createChangeSignal()
  const scopes = createWatchedScopes({ store, now, monotonic })
  const table = createChangeTable(store)
  /** The log is durable up to this place. */
  let durable = table.head()
  let wrote = false

  store.onCommit(
    () => table.trim(),
    (ok) => {
      if (!ok) {
        scopes.load()
        table.load()
      }
      if (ok && wrote) emitWhenDurable(table.head())
      wrote = false
    }
  )

  const emitWhenDurable = (upTo: number): void => {
    store.durable().then(
      () => {
        durable = upTo
        signal.emit()
      },
      () => {
        // The store is lost and reports its own failure.
      }
    )
  }

  const prepare = (namespace: string, event: Document): (() => void) => {
    const time = clock.next()
    const bson = encodeDocument({ ...event, clusterTime: time, wallTime: new Date(now()) })
    return () => {
      table.add(time, namespace, bson)
      wrote = true
    }
  }
  const write = (namespace: string, event: Document): void => prepare(namespace, event)()

  const lost = (): MongoError =>
    new MongoError(
      286,
      'Resume of change stream was not possible, as the resume point may no longer be in the oplog.',
      { labels: ['NonResumableChangeStreamError'] }
    )

  return {
    prepare: ({ namespace }, change) =>
      scopes.contain(namespace)
        ? prepare(namespace, { ns: splitNamespace(namespace), ...describeChange(change) })
        : // A time of its own: a stream that starts at that of the last logged change would show it again.
          () => void clock.next(),
    dropped: (namespace) => {
      if (!scopes.contain(namespace)) return
      write(namespace, { operationType: 'drop', ns: splitNamespace(namespace) })
      write(namespace, { operationType: 'invalidate', of: 'collection' })
    },
    databaseDropped: (database) => {
      if (!scopes.contain(`${database}.`)) return
      write(`${database}.`, { operationType: 'dropDatabase', ns: { db: database } })
      write(`${database}.`, { operationType: 'invalidate', of: 'database' })
    },
    renamed: (from, to) => {
      if (!scopes.contain(from)) return
      write(from, { operationType: 'rename', ns: splitNamespace(from), to: splitNamespace(to) })
      write(from, { operationType: 'invalidate', of: 'collection' })
    },
    watch: (scope) => scopes.watch(scope, durable),
    touch: scopes.touch,
    checkPlace: (scope, after) => {
      if (after > table.head()) throw new MongoError(260, 'Resume token lies in the future of this server')
      if (after < table.tail() || !scopes.since(scope).some((since) => since <= after)) throw lost()
    },
    placeAt: (scope, time) => {
      if (time.greaterThan(clock.latest())) return table.head()
      const place = table.before(time)
      // The time of the last dropped entry is unknown, so the oldest one left may not be the first since `time`.
      if (table.tail() > 0 && place <= table.tail()) throw lost()
      return Math.max(place, Math.min(...scopes.since(scope)))
    },
    head: () => durable,
    read: (after, limit) =>
      table.read(after, durable, limit).map(({ seq, namespace, event }) => ({
        seq,
        namespace,
        event: { _id: makeToken(seq), ...decodeDocument(event) }
      })),
    next: signal.next,
    prune: scopes.prune
  }
}
