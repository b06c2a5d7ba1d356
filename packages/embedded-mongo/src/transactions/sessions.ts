import { minuteMs } from '@batti/kit/durations'
import { MongoError } from '../errors.ts'
import type { Rows } from '../storage/rows.ts'
import type { Store } from '../storage/store.ts'
import type { View } from '../storage/view.ts'
import type { Locks } from './locks.ts'
import type { Retries } from './retries.ts'
import { createSnapshotReaders } from './snapshot-readers.ts'
import { createTransaction, type Transaction } from './transaction.ts'

const transient = ['TransientTransactionError']

interface Open {
  number: number
  transaction: Transaction
  /** On the monotonic clock. */
  startedAt: number
}
interface Session {
  open: Open | null
  /** Number of the last aborted transaction. */
  aborted: number
}

export interface Sessions {
  /** Returns the transaction of a statement; with `start` it begins a new one. */
  transaction(session: string, number: number, start: boolean): Transaction
  /** Commits. Returns whether anything was written. */
  commit(session: string, number: number): boolean
  abort(session: string, number: number): void
  /** For a retryable write: rolls back an open transaction with an older number. Throws if the number itself is older. */
  supersede(session: string, number: number): void
  /** Rolls the transaction back after an error in it. */
  fail(session: string): void
  /** Ends the session and rolls back its transaction. */
  end(session: string): void
  openTransactions(): number
  /** Rolls back transactions that have been open for too long. */
  expire(): void
}

/** MongoDB's `transactionLifetimeLimitSeconds`. */
const LIFETIME_MS = minuteMs
/** Each transaction holds a snapshot and memory. More at once than this indicate a leak or an attack. */
const MAX_OPEN = 100

export interface SessionsOptions {
  store: Store
  rows: Rows
  locks: Locks<{ ended: Promise<void> }>
  live: View
  retries: Retries
  monotonic: () => number
}

/** What only the engine calls. */
interface OwnSessions extends Sessions {
  /** Closes what is kept open for the next transactions. */
  releaseMemory(): void
  close(): void
}

export function createSessions({ store, rows, locks, live, retries, monotonic }: SessionsOptions): OwnSessions {
  const sessions = new Map<string, Session>()
  const readers = createSnapshotReaders(store)

  const sessionOf = (id: string): Session => {
    const known = sessions.get(id)
    if (known) return known
    const made: Session = { open: null, aborted: -1 }
    sessions.set(id, made)
    return made
  }

  const close = (id: string, session: Session, outcome: 'committed' | 'aborted'): void => {
    const { open } = session
    if (!open) return
    session.open = null
    if (outcome === 'aborted') session.aborted = open.number
    else sessions.delete(id)
    open.transaction.end()
  }

  const openCount = (): number => [...sessions.values()].filter(({ open }) => open !== null).length

  return {
    transaction: (id, number, start) => {
      const session = sessionOf(id)
      retries.check(id, number)
      const { open } = session
      if (open && open.number === number && !start) return open.transaction
      if (!start) {
        if (session.aborted === number) {
          throw new MongoError(251, `Transaction with { txnNumber: ${number} } has been aborted.`, {
            labels: transient
          })
        }
        if (retries.wasCommitted(id, number)) throw committed(number)
        throw none(number)
      }
      if (open && open.number > number)
        throw new MongoError(
          225,
          `Cannot start transaction ${number} on session because a newer transaction ${open.number} has already started`
        )
      if (open?.number === number || session.aborted === number || retries.isUsed(id, number)) {
        throw new MongoError(
          50911,
          `Cannot start a transaction at given transaction number ${number} as a transaction with the same number is already in progress`
        )
      }
      if (open) close(id, session, 'aborted')
      if (openCount() >= MAX_OPEN)
        throw new MongoError(261, `Too many open transactions: ${MAX_OPEN}`, { labels: transient })
      const reader = readers.take()
      const transaction = createTransaction({ store, rows, locks, reader, release: () => readers.release(reader) })
      session.open = { number, transaction, startedAt: monotonic() }
      return transaction
    },
    commit: (id, number) => {
      const session = sessions.get(id)
      const open = session?.open
      if (!session || open?.number !== number) {
        if (retries.wasCommitted(id, number)) return true
        throw none(number)
      }
      try {
        const wrote = !open.transaction.isEmpty()
        if (wrote) {
          store.flush()
          open.transaction.commit(live)
        }
        retries.keepCommit(id, number, wrote)
        close(id, session, 'committed')
        return wrote
      } catch (error) {
        store.abandon(error)
        close(id, session, 'aborted')
        if (error instanceof MongoError && (error.code === 112 || error.code === 246 || error.code === 11000)) {
          throw new MongoError(112, 'Write conflict during the commit: the transaction was rolled back, try it again', {
            labels: transient,
            cause: error
          })
        }
        throw error
      }
    },
    abort: (id, number) => {
      const session = sessions.get(id)
      if (!session?.open || session.open.number !== number) {
        if (retries.wasCommitted(id, number)) throw committed(number)
        throw none(number)
      }
      close(id, session, 'aborted')
    },
    supersede: (id, number) => {
      const session = sessions.get(id)
      if (!session?.open) return
      if (session.open.number > number)
        throw new MongoError(
          225,
          `Retryable write with txnNumber ${number} is prohibited on session because a newer transaction with txnNumber ${session.open.number} has already started on this session.`
        )
      if (session.open.number < number) close(id, session, 'aborted')
    },
    fail: (id) => {
      const session = sessions.get(id)
      if (session) close(id, session, 'aborted')
    },
    end: (id) => {
      const session = sessions.get(id)
      if (session) close(id, session, 'aborted')
      sessions.delete(id)
    },
    openTransactions: openCount,
    expire: () => {
      for (const [id, session] of sessions) {
        if (session.open && monotonic() - session.open.startedAt > LIFETIME_MS) close(id, session, 'aborted')
      }
    },
    releaseMemory: readers.closeIdle,
    close: () => {
      for (const [id, session] of sessions) close(id, session, 'aborted')
      readers.closeIdle()
    }
  }
}

const none = (number: number): MongoError =>
  new MongoError(
    251,
    `Given transaction number ${number} does not match any in-progress transactions. The active transaction number is -1`,
    { labels: transient }
  )

const committed = (number: number): MongoError => new MongoError(256, `Transaction ${number} has been committed.`)
