import { EventEmitter } from 'node:events'
import type { Timestamp } from 'bson'
import { decodeDocument } from '../bson/decode.ts'
import type { Document } from '../bson/document.ts'
import { encodeDocument } from '../bson/encode.ts'
import type { ClusterClock } from '../clock.ts'
import { MongoError } from '../errors.ts'
import type { Collection } from '../storage/catalog-tables.ts'
import type { Store } from '../storage/store.ts'
import type { Change } from '../storage/view.ts'
import { describeUpdate } from './describe-update.ts'
import { scopeName, scopesOf, type Scope } from './scope.ts'
import { makeToken } from './token.ts'

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
export interface ChangeLog {
  record(collection: Collection, change: Change): void
  dropped(namespace: string): void
  databaseDropped(database: string): void
  renamed(from: string, to: string): void
  /** Starts writing the scope to the log. */
  watch(scope: Scope): void
  /** Records that a scope is being read, so that it stays watched. */
  touch(scope: Scope): void
  /** Throws when the log of a scope does not reach back to a place. */
  checkPlace(scope: Scope, after: number): void
  placeAt(scope: Scope, time: Timestamp): number
  /** Returns the place of the newest readable entry. */
  head(): number
  /** Returns entries after a place, oldest first. Like MongoDB, only durable ones. */
  read(after: number, limit: number): LoggedChange[]
  /** Resolves when there are more entries, after `maxMs`, or when `signal` is aborted. */
  next(signal: AbortSignal, maxMs: number): Promise<void>
  /** Stops watching scopes that were not read for a day. A wall clock that jumped ahead ends none that is being read. */
  prune(): void
}

const MAX_ENTRIES = 100_000
const MAX_BYTES = 64 * 1024 * 1024
const KEEP_SCOPE_MS = 24 * 60 * 60 * 1000
/** Minimum interval between stored uses of a scope. */
const TOUCH_MS = 60 * 60 * 1000

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
  const { writer } = store
  const changes = new EventEmitter().setMaxListeners(0)
  const sum = (sql: string, ...values: number[]): number => Number((writer.get(sql, ...values) ?? [0])[0] ?? 0)
  let scopes = new Map<string, { since: number; used: number }>()
  /** When this process last read each scope, on the monotonic clock. */
  const readAt = new Map<string, number>()
  let head = 0
  /** The log is durable up to this place. */
  let durable = 0
  let tail = 0
  let bytes = 0
  let entries = 0
  let wrote = false

  const load = (): void => {
    scopes = new Map(
      writer
        .all('SELECT scope, since, used FROM watches')
        .map(([scope, since, used]) => [String(scope), { since: Number(since), used: Number(used) }])
    )
    // AUTOINCREMENT keeps the last number even when the log was pruned.
    head = sum("SELECT seq FROM sqlite_sequence WHERE name = 'changes'")
    tail = sum('SELECT min(seq) FROM changes') - 1
    if (tail < 0) tail = head
    bytes = sum('SELECT sum(size) FROM changes')
    entries = sum('SELECT count(*) FROM changes')
  }
  load()
  durable = head
  store.onCommit(
    () => trim(),
    (ok) => {
      if (!ok) load()
      if (ok && wrote) emitWhenDurable(head)
      wrote = false
    }
  )

  const emitWhenDurable = (upTo: number): void => {
    store.durable().then(
      () => {
        durable = upTo
        changes.emit('change')
      },
      () => {
        // The store is lost and reports its own failure.
      }
    )
  }

  const isWatched = (namespace: string): boolean =>
    scopes.size > 0 && scopesOf(namespace).some((scope) => scopes.has(scope))

  const write = (namespace: string, event: Document): void => {
    const time = clock.next()
    const bson = encodeDocument({ ...event, clusterTime: time, wallTime: new Date(now()) })
    store.write(() => {
      writer.run(
        'INSERT INTO changes(seconds, ordinal, namespace, size, event) VALUES(?, ?, ?, ?, ?)',
        time.getHighBitsUnsigned(),
        time.getLowBitsUnsigned(),
        namespace,
        bson.length,
        bson
      )
      head = sum('SELECT last_insert_rowid()')
    })
    bytes += bson.length
    entries++
    wrote = true
  }

  /** Drops the oldest tenth when the log is full. */
  const trim = (): void => {
    if (entries <= MAX_ENTRIES && bytes <= MAX_BYTES) return
    const upTo = sum('SELECT seq FROM changes ORDER BY seq LIMIT 1 OFFSET ?', Math.ceil(entries / 10)) - 1
    writer.run('DELETE FROM changes WHERE seq <= ?', upTo)
    tail = upTo
    bytes = sum('SELECT sum(size) FROM changes')
    entries = sum('SELECT count(*) FROM changes')
  }

  const names = (namespace: string): Document => ({
    db: namespace.slice(0, namespace.indexOf('.')),
    coll: namespace.slice(namespace.indexOf('.') + 1)
  })

  const covering = (scope: Scope): { since: number; used: number }[] => {
    const wide =
      scope.kind === 'collection' ? scopesOf(scope.name) : scope.kind === 'database' ? [scopeName(scope), '*'] : ['*']
    return wide.flatMap((name) => scopes.get(name) ?? [])
  }

  const lost = (): MongoError =>
    new MongoError(
      286,
      'Resume of change stream was not possible, as the resume point may no longer be in the oplog.',
      { labels: ['NonResumableChangeStreamError'] }
    )

  const describe = (change: Change): Document => {
    switch (change.kind) {
      case 'insert':
        return { operationType: 'insert', fullDocument: change.document, documentKey: { _id: change.document['_id'] } }
      case 'delete':
        return { operationType: 'delete', documentKey: { _id: change.before['_id'] } }
      case 'update': {
        const documentKey = { _id: change.document['_id'] }
        return change.touched === 'replaced'
          ? { operationType: 'replace', fullDocument: change.document, documentKey }
          : {
              operationType: 'update',
              updateDescription: describeUpdate(change.before, change.document, change.touched),
              documentKey
            }
      }
    }
  }

  return {
    record: ({ namespace }, change) => {
      if (isWatched(namespace)) write(namespace, { ns: names(namespace), ...describe(change) })
    },
    dropped: (namespace) => {
      if (!isWatched(namespace)) return
      write(namespace, { operationType: 'drop', ns: names(namespace) })
      write(namespace, { operationType: 'invalidate', of: 'collection' })
    },
    databaseDropped: (database) => {
      if (!isWatched(`${database}.`)) return
      write(`${database}.`, { operationType: 'dropDatabase', ns: { db: database } })
      write(`${database}.`, { operationType: 'invalidate', of: 'database' })
    },
    renamed: (from, to) => {
      if (!isWatched(from)) return
      write(from, { operationType: 'rename', ns: names(from), to: names(to) })
      write(from, { operationType: 'invalidate', of: 'collection' })
    },
    watch: (scope) => {
      const name = scopeName(scope)
      if (scopes.has(name)) return
      scopes.set(name, { since: head, used: now() })
      store.write(() =>
        writer.run('INSERT OR REPLACE INTO watches(scope, since, used) VALUES(?, ?, ?)', name, head, now())
      )
    },
    touch: (scope) => {
      const name = scopeName(scope)
      const known = scopes.get(name)
      if (!known) return
      readAt.set(name, monotonic())
      if (now() - known.used < TOUCH_MS) return
      known.used = now()
      store.write(() => writer.run('UPDATE watches SET used = ? WHERE scope = ?', now(), name))
    },
    checkPlace: (scope, after) => {
      if (after > head) throw new MongoError(260, 'Resume token lies in the future of this server')
      if (after < tail || !covering(scope).some(({ since }) => since <= after)) throw lost()
    },
    placeAt: (scope, time) => {
      const seconds = time.getHighBitsUnsigned()
      const ordinal = time.getLowBitsUnsigned()
      if (time.greaterThan(clock.latest())) return head
      const found = sum(
        'SELECT seq FROM changes WHERE (seconds, ordinal) >= (?, ?) ORDER BY seq LIMIT 1',
        seconds,
        ordinal
      )
      const place = found === 0 ? head : found - 1
      if (place < tail || covering(scope).length === 0) throw lost()
      return Math.max(place, Math.min(...covering(scope).map(({ since }) => since)))
    },
    head: () => durable,
    read: (after, limit) =>
      writer
        .all(
          'SELECT seq, namespace, event FROM changes WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ?',
          after,
          durable,
          limit
        )
        .map(([seq, namespace, event]) => ({
          seq: Number(seq),
          namespace: String(namespace),
          event: { _id: makeToken(Number(seq)), ...decodeDocument(event as Uint8Array) }
        })),
    next: (signal, maxMs) =>
      new Promise((resolve) => {
        const done = (): void => {
          clearTimeout(timer)
          changes.off('change', done)
          signal.removeEventListener('abort', done)
          resolve()
        }
        const timer = setTimeout(done, maxMs)
        changes.on('change', done)
        signal.addEventListener('abort', done)
        if (signal.aborted) done()
      }),
    prune: () => {
      for (const [name, { used }] of scopes) {
        const unreadMs = Math.min(now() - used, monotonic() - (readAt.get(name) ?? -Infinity))
        if (unreadMs <= KEEP_SCOPE_MS) continue
        scopes.delete(name)
        readAt.delete(name)
        store.write(() => writer.run('DELETE FROM watches WHERE scope = ?', name))
      }
    }
  }
}
