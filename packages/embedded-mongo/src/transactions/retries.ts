import { decodeDocument } from '../bson/decode.ts'
import { isDocument, type Document } from '../bson/document.ts'
import { encodeDocument } from '../bson/encode.ts'
import { MongoError } from '../errors.ts'
import type { Store } from '../storage/store.ts'

/** The results of one retryable write, statement by statement. */
export type Statements = {
  /** The result of a statement that an earlier try has already done, or null. */
  done(id: number): Document | null
  /** Keeps the result in the same commit as the write itself. */
  keep(id: number, result: Document): void
}

export const NO_STATEMENTS: Statements = { done: () => null, keep: () => {} }

type Known = { number: number; kind: 'write' | 'commit'; results: Document }

/**
 * What each session did last, stored beside the data: a client that lost the answer (the process was
 * killed after the commit) may send the same write again and gets the first result.
 */
export type Retries = {
  statements(session: string, number: number): Statements
  /** True when the transaction of this number was committed. */
  wasCommitted(session: string, number: number): boolean
  keepCommit(session: string, number: number): void
  /** Refuses numbers that the session has left behind. */
  check(session: string, number: number): void
  prune(now: number): void
}

const MEMORY_ENTRIES = 5000
/** Sessions end after 30 minutes in MongoDB; an hour is on the safe side of every client. */
const KEEP_MS = 60 * 60 * 1000

export const createRetries = (store: Store, now: () => number): Retries => {
  const memory = new Map<string, Known>()
  const { writer } = store

  const find = (session: string): Known | null => {
    const held = memory.get(session)
    if (held) return held
    const row = writer.get('SELECT number, kind, reply FROM retries WHERE session = ?', Buffer.from(session, 'hex'))
    if (!row) return null
    const known: Known = {
      number: Number(row[0]),
      kind: row[1] === 'commit' ? 'commit' : 'write',
      results: decodeDocument(row[2] as Uint8Array)
    }
    remember(session, known)
    return known
  }
  const remember = (session: string, known: Known): void => {
    memory.delete(session)
    memory.set(session, known)
    if (memory.size > MEMORY_ENTRIES) {
      const [oldest] = memory.keys()
      if (oldest !== undefined) memory.delete(oldest)
    }
  }
  const save = (session: string, known: Known): void => {
    remember(session, known)
    store.write(() =>
      writer.run(
        'INSERT OR REPLACE INTO retries(session, number, kind, reply, at) VALUES(?, ?, ?, ?, ?)',
        Buffer.from(session, 'hex'),
        known.number,
        known.kind,
        encodeDocument(known.results),
        now()
      )
    )
  }
  // What was remembered of a commit that failed never happened.
  store.onCommit(
    () => {},
    (ok) => {
      if (!ok) memory.clear()
    }
  )

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
      const known: Known = last?.number === number ? last : { number, kind: 'write', results: {} }
      return {
        done: (id) => {
          const result = known.results[`s${id}`]
          return isDocument(result) ? result : null
        },
        keep: (id, result) => {
          known.results[`s${id}`] = result
          save(session, known)
        }
      }
    },
    wasCommitted: (session, number) => {
      const last = find(session)
      return last?.number === number && last.kind === 'commit'
    },
    keepCommit: (session, number) => save(session, { number, kind: 'commit', results: {} }),
    prune: (at) => {
      store.write(() => writer.run('DELETE FROM retries WHERE at < ?', at - KEEP_MS))
    }
  }
}
