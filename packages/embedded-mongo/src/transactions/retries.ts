import { hourMs } from '@batti/kit/durations'
import { decodeDocument } from '../bson/decode.ts'
import { isDocument, type Document } from '../bson/document.ts'
import { encodeDocument } from '../bson/encode.ts'
import { MongoError } from '../errors.ts'
import type { Store } from '../storage/store.ts'

/** The results of the statements of one retryable write. */
export interface Statements {
  /** Returns the result of a statement that an earlier attempt has executed, or null. */
  done(id: number): Document | null
  /** Stores the result in the same commit as the write itself. */
  keep(id: number, result: Document): void
}

export const noStatements: Statements = { done: () => null, keep: () => {} }

/** The last write or commit of a session. `fresh` are results that are not committed yet. */
interface Known {
  number: number
  kind: 'write' | 'commit'
  results: Map<string, Document>
  fresh: Document
  chunks: number
}

/**
 * Stores the last result of each session beside the data. A client that did not get the reply (because the process was
 * killed after the commit) may repeat the write, and gets the first result.
 */
export interface Retries {
  statements(session: string, number: number): Statements
  /** True when the session has used this number for a write or a transaction. */
  isUsed(session: string, number: number): boolean
  /** True when the transaction with this number was committed. */
  wasCommitted(session: string, number: number): boolean
  /** Records a commit. Without writes it is kept in memory only, because a retry cannot repeat anything. */
  keepCommit(session: string, number: number, wrote: boolean): void
  /** Throws for a number that is older than the session's newest. */
  check(session: string, number: number): void
  prune(now: number): void
}

const MEMORY_ENTRIES = 5000
/** Sessions expire after 30 minutes in MongoDB, so an hour is safe for every client. */
const KEEP_MS = hourMs

export function createRetries(store: Store, now: () => number): Retries {
  const memory = new Map<string, Known>()
  const dirty = new Map<string, Known>()
  const { writer } = store

  const load = (session: string): Known | null => {
    const rows = writer.all(
      'SELECT number, kind, results FROM retried WHERE session = ? ORDER BY chunk',
      Buffer.from(session, 'hex')
    )
    if (rows.length === 0) return null
    // A longer batch with an older number may have left chunks behind.
    const number = Math.max(...rows.map(([value]) => Number(value)))
    const current = rows.filter(([value]) => Number(value) === number)
    const results = new Map<string, Document>()
    for (const [, , bson] of current) {
      for (const [id, result] of Object.entries(decodeDocument(bson as Uint8Array))) {
        if (isDocument(result)) results.set(id, result)
      }
    }
    const kind = current[0]?.[1] === 'commit' ? 'commit' : 'write'
    return { number, kind, results, fresh: {}, chunks: current.length }
  }

  const find = (session: string): Known | null => {
    const known = memory.get(session) ?? load(session)
    if (known) remember(session, known)
    return known
  }
  const remember = (session: string, known: Known): void => {
    memory.delete(session)
    memory.set(session, known)
    if (memory.size <= MEMORY_ENTRIES) return
    const [oldest] = memory.keys()
    if (oldest !== undefined && !dirty.has(oldest)) memory.delete(oldest)
  }

  store.onCommit(
    () => {
      for (const [session, known] of dirty) {
        writer.run(
          'INSERT OR REPLACE INTO retried(session, chunk, number, kind, results, at) VALUES(?, ?, ?, ?, ?, ?)',
          Buffer.from(session, 'hex'),
          known.chunks++,
          known.number,
          known.kind,
          encodeDocument(known.fresh),
          now()
        )
        known.fresh = {}
      }
      dirty.clear()
    },
    (ok) => {
      if (ok) return
      // Results of a failed commit are invalid.
      dirty.clear()
      memory.clear()
    }
  )

  /** Saves the results with the next commit, and ensures that there is one. */
  const save = (session: string, known: Known): void => {
    remember(session, known)
    store.write(() => dirty.set(session, known))
  }

  const check = (session: string, number: number): void => {
    const last = find(session)
    if (last && number < last.number) {
      throw new MongoError(
        225,
        `Retryable write with txnNumber ${number} is prohibited on session because a newer retryable write with txnNumber ${last.number} has already started on this session.`
      )
    }
  }

  return {
    check,
    statements: (session, number) => {
      check(session, number)
      const last = find(session)
      if (last?.number === number && last.kind === 'commit') {
        throw new MongoError(256, `Transaction ${number} has been committed.`)
      }
      const known: Known =
        last?.number === number ? last : { number, kind: 'write', results: new Map(), fresh: {}, chunks: 0 }
      return {
        done: (id) => known.results.get(`s${id}`) ?? null,
        keep: (id, result) => {
          known.results.set(`s${id}`, result)
          known.fresh[`s${id}`] = result
          save(session, known)
        }
      }
    },
    isUsed: (session, number) => find(session)?.number === number,
    wasCommitted: (session, number) => {
      const last = find(session)
      return last?.number === number && last.kind === 'commit'
    },
    keepCommit: (session, number, wrote) => {
      const known: Known = { number, kind: 'commit', results: new Map(), fresh: {}, chunks: 0 }
      if (wrote) save(session, known)
      else remember(session, known)
    },
    prune: (at) => {
      const old = at - KEEP_MS
      // Write only when necessary: an idle server must not write.
      if (!writer.get('SELECT 1 FROM retried WHERE at < ? LIMIT 1', old)) return
      store.write(() => writer.run('DELETE FROM retried WHERE at < ?', old))
    }
  }
}
