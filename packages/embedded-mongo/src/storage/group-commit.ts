import { MongoError } from '../errors.ts'
import type { Connection } from './connection.ts'
import { isDiskFailure, isRefusedByDisk, sqliteFailure } from './failure.ts'

/** The writes of many share a commit, and a sync of the disk. */
export interface GroupCommit {
  /**
   * Runs statements inside the open commit, which holds what is written until somebody asks for the disk (then it ends with
   * this turn of the event loop) or until it has waited long enough. When a statement fails (a full disk), the whole
   * commit is rolled back and everybody who waits for it is told.
   */
  write<T>(statements: () => T): T
  /** As `write`; an error on the way, but for the disk's, takes back these statements and no others. */
  attempt<T>(statements: () => T): T
  /** Resolves once everything written so far is on the disk and survives a power cut; rejects when it could not be. */
  durable(): Promise<void>
  /** Grows with every write. */
  writes(): number
  /**
   * The error of the last commit that failed, and null until then. Who sees it change while working may
   * have written to, or read from, a commit that was rolled back.
   */
  lastFailure(): Error | null
  /** The disk has failed: nothing can be written any more. */
  isLost(): boolean
  /** Commits at once; for what must not share a commit. */
  flush(): void
  /** Rolls the open commit back: a group of writes failed half way. */
  abandon(cause: unknown): void
  /** Called inside each commit just before it, and after it. */
  onCommit(before: () => void, after: (ok: boolean) => void): void
}

export interface GroupCommitOptions {
  writer: Connection
  path: string
  /** Resolves once the disk has all that was committed before. */
  synced(): Promise<void>
  /** What memory holds of the tables follows: statements were taken back, those of an attempt or of the whole commit. */
  onTakenBack(what: 'attempt' | 'commit'): void
  /** After each commit, while the disk works. */
  onCommitted(): void
  /** The disk did not take what was committed: what lies in the file is unknown until it is opened anew. */
  onLost?: ((cause: Error) => void) | undefined
  /** The disk has no room for a write. */
  onFull?: (() => void) | undefined
}

/** What nobody waits for, and what work of several turns has written, is committed after so long or so many writes. */
const OPEN_MS = 250
const MOST_WRITES = 500

/** The writes of one commit. */
interface Group {
  durable: PromiseWithResolvers<void>
  timer: NodeJS.Timeout
  writes: number
  /** It ends with this turn of the event loop. */
  isEnding: boolean
}

/** `lose`: the disk failed beside the commits too. */
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
    // Somebody always waits through another promise; this alone must not end the process.
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

  const takeBack = (what: 'attempt' | 'commit'): void => {
    writer.forget()
    options.onTakenBack(what)
  }

  /** Answers why it could not. */
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
      // SQLite has rolled back by itself after some errors (a full disk among them).
      if (writer.database.isTransaction) writer.exec('ROLLBACK')
      takeBack('commit')
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
      // A refusal before the first statement: nothing is half done.
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
      // After some errors (a full disk among them) SQLite has rolled everything back by itself.
      if (!writer.database.isTransaction || isDiskFailure(cause)) throw cause
      writer.exec('ROLLBACK TO attempt')
      takeBack('attempt')
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
      // A sync that ends has taken with it all that was committed before.
      return open?.durable.promise ?? lastDurable
    },
    writes: () => writes,
    lastFailure: () => lastFailure,
    isLost: () => lost !== null,
    flush,
    abandon: (cause) => {
      if (!open) return
      // Only its own writes are in this commit: nobody else need be told.
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
