import { MongoError } from '../errors.ts'
import type { Connection } from './file/connection.ts'
import { isDiskFailure, isRefusedByDisk, sqliteFailure } from './file/failure.ts'

/** Group commit: the writes of several clients share a commit and a sync of the disk. */
export interface GroupCommit {
  /**
   * Runs statements inside the open commit. It stays open until somebody calls `durable` (it then ends with this turn of the
   * event loop) or until a time-out. When a statement fails (a full disk), the whole commit is rolled back, and everybody
   * who waits for it gets the error.
   */
  write<T>(statements: () => T): T
  /** Like `write`, but an error (except of the disk) rolls back only these statements. */
  attempt<T>(statements: () => T): T
  /** Resolves once everything written so far survives a power cut. Rejects when that fails. */
  durable(): Promise<void>
  /** Grows with every write. */
  writes(): number
  /**
   * Returns the error of the last failed commit, or null. If it changes during a command, the command may have written to,
   * or read from, a commit that was rolled back.
   */
  lastFailure(): Error | null
  /** Tells whether the disk has failed, so that nothing can be written any more. */
  isLost(): boolean
  /** Commits at once, for writes that must not share a commit. */
  flush(): void
  /** Rolls the open commit back, when a group of writes failed in the middle. */
  abandon(cause: unknown): void
  /** Registers functions to call inside each commit just before its end, and after it. */
  onCommit(before: () => void, after: (ok: boolean) => void): void
}

export interface GroupCommitOptions {
  writer: Connection
  path: string
  /** Resolves once everything committed before is on the disk. */
  synced(): Promise<void>
  /** Called after a rollback of an attempt or of the whole commit, to update what memory holds of the tables. */
  onRolledBack(what: 'attempt' | 'commit'): void
  /** Called after each commit, while it is synced. */
  onCommitted(): void
  /** Called when a sync failed: the content of the file is unknown until it is opened again. */
  onLost?: ((cause: Error) => void) | undefined
  /** Called when the disk has no room for a write. */
  onFull?: (() => void) | undefined
}

/** Writes that nobody waits for, or of work over several turns, are committed after this time or this many writes. */
const OPEN_MS = 250
const MOST_WRITES = 500

/** The writes of one commit. */
interface Group {
  durable: PromiseWithResolvers<void>
  timer: NodeJS.Timeout
  writes: number
  /** The commit ends with this turn of the event loop. */
  isEnding: boolean
}

/** `lose` reports a failure of the disk outside of commits. */
export function createGroupCommit(options: GroupCommitOptions): GroupCommit & { lose(cause: Error): void } {
  const { writer, path } = options
  const before: (() => void)[] = []
  const after: ((ok: boolean) => void)[] = []
  let open: Group | null = null
  let lastDurable = Promise.resolve()
  let writes = 0
  let failure: unknown = null
  let lost: Error | null = null
  let lastFailure: Error | null = null
  let abandoned: unknown = null

  const begin = (): Group => {
    try {
      writer.exec('BEGIN IMMEDIATE')
    } catch (cause) {
      const error = sqliteFailure(cause, path)
      if (isRefusedByDisk(error)) options.onFull?.()
      throw error
    }
    const durable = Promise.withResolvers<void>()
    // An unhandled rejection must not end the process: clients wait on other promises.
    durable.promise.catch(() => {})
    return { durable, timer: setTimeout(flush, OPEN_MS), writes: 0, isEnding: false }
  }

  const endThisTurn = (): void => {
    if (!open || open.isEnding) return
    const group = open
    group.isEnding = true
    setImmediate(() => {
      if (open === group) flush()
    })
  }

  const lose = (cause: Error): void => {
    if (lost) return
    lost = new MongoError(
      14031,
      'The disk failed while it took a write. The database stops; its next start reads what the disk holds.',
      { cause }
    )
    lastFailure = lost
    options.onLost?.(lost)
  }

  const rollBack = (what: 'attempt' | 'commit'): void => {
    writer.forget()
    options.onRolledBack(what)
  }

  /** Commits. Returns the error, or null. */
  const commit = (): unknown => {
    try {
      for (const step of before) step()
      writer.exec('COMMIT')
      return null
    } catch (cause) {
      return sqliteFailure(cause, path)
    }
  }

  const flush = (): void => {
    if (!open) return
    const group = open
    open = null
    clearTimeout(group.timer)
    const error = failure ?? commit()
    failure = null
    if (error) {
      // After some errors, such as a full disk, SQLite has already rolled back by itself.
      if (writer.database.isTransaction) writer.exec('ROLLBACK')
      rollBack('commit')
      if (isRefusedByDisk(error)) options.onFull?.()
      if (error !== abandoned) lastFailure = error instanceof Error ? error : new Error('the commit failed')
    } else lastDurable = group.durable.promise
    abandoned = null
    for (const step of after) step(!error)
    if (error) {
      group.durable.reject(error)
      return
    }
    options.synced().then(group.durable.resolve, (cause: Error) => {
      lose(cause)
      group.durable.reject(lost)
    })
    options.onCommitted()
  }

  const write = <T>(statements: () => T): T => {
    if (lost) throw lost
    writes++
    open ??= begin()
    if (++open.writes > MOST_WRITES) endThisTurn()
    try {
      return statements()
    } catch (cause) {
      // The write was refused before its first statement, so there is nothing to roll back.
      if (cause instanceof MongoError) throw cause
      const error = sqliteFailure(cause, path)
      failure = error
      flush()
      throw error
    }
  }

  const attempt = <T>(statements: () => T): T => {
    writer.exec('SAVEPOINT attempt')
    try {
      return statements()
    } catch (cause) {
      // After some errors, such as a full disk, SQLite has already rolled everything back by itself.
      if (!writer.database.isTransaction || isDiskFailure(cause)) throw cause
      writer.exec('ROLLBACK TO attempt')
      rollBack('attempt')
      throw cause instanceof MongoError ? cause : new MongoError(1, sqliteFailure(cause, path).message, { cause })
    } finally {
      if (writer.database.isTransaction) writer.exec('RELEASE attempt')
    }
  }

  return {
    write,
    attempt: (statements) => write(() => attempt(statements)),
    durable: () => {
      endThisTurn()
      // A completed sync includes everything committed before, so the last promise is enough.
      return open?.durable.promise ?? lastDurable
    },
    writes: () => writes,
    lastFailure: () => lastFailure,
    isLost: () => lost !== null,
    flush,
    abandon: (cause) => {
      if (!open) return
      // This commit contains only writes of the caller: no other command has to see the failure.
      abandoned = cause
      failure = cause
      flush()
    },
    onCommit: (first, then) => {
      before.push(first)
      after.push(then)
    },
    lose
  }
}
