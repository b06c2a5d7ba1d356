import { closeSync, openSync } from 'node:fs'
import type { CheckpointWorker, Ending, StartCheckpoint } from './checkpoint-worker.ts'
import type { Connection } from './connection.ts'
import { codeOf, isFailedSync } from './failure.ts'

export interface Checkpoints {
  /** Looks whether the log is long, between two commits. */
  look(): void
  /** Waits, blocking, for a checkpoint that is under way, before the file is closed. */
  close(closeFile: () => void): void
}

export interface CheckpointOptions {
  writer: Connection
  path: string
  /** The log is moved to the file when it is so long. */
  bytes: number
  start: StartCheckpoint
  /** The file or the log could not be synced. */
  onFailedSync(cause: Error): void
}

/** As long as a stop, or a commit where the log is too long, may wait for the thread. */
const WAIT_MS = 5000
/** A log of so many times the length is moved in a commit, whatever became of the thread. */
const AT_MOST = 4
/** The first SQLite that tells the length of the log and moves nothing. */
const [MAJOR, MINOR] = [3, 51]

/**
 * Moves the write-ahead log to the file beside the event loop. SQLite begins the log anew when a commit finds that all of
 * it was moved; what was committed while the thread ended is moved by the writer itself, between two commits.
 */
export function createCheckpoints(options: CheckpointOptions): Checkpoints {
  const { writer, path, start, onFailedSync } = options
  const [version] = writer.get('SELECT sqlite_version()') ?? []
  const [major = 0, minor = 0] = String(version).split('.').map(Number)
  // It moves its log in a commit, as the file was opened to do.
  if (major === MAJOR && minor < MINOR) return { look: () => {}, close: (closeFile) => closeFile() }

  const [pageBytes] = writer.get('PRAGMA page_size') ?? []
  const limit = Math.max(1, Math.round(options.bytes / Number(pageBytes)))
  writer.exec(`PRAGMA wal_autocheckpoint = ${AT_MOST * limit}`)
  const descriptor = openSync(path, 'r+')
  let worker: CheckpointWorker | null = null
  let isClosed = false
  /** What is left to the writer. */
  let rest: 'nothing' | 'the end' | 'all' = 'nothing'
  let nextAt = limit
  let seen = 0

  const fail = (errcode: number, cause: Error): void => {
    // Where the disk is full the log keeps what it holds, and a later checkpoint tries again.
    if (isFailedSync(errcode)) onFailedSync(cause)
  }

  /** The length of the log, and how much of it was moved. */
  const measure = (): [log: number, moved: number] => {
    const [, log, moved] = writer.get('PRAGMA wal_checkpoint(NOOP)') ?? []
    return [Number(log), Number(moved)]
  }

  const moveRest = (): void => {
    const what = rest
    rest = 'nothing'
    try {
      const [log, moved] = measure()
      // A log of which nothing was moved has begun anew already.
      if (what === 'all' || (moved > 0 && moved < log)) writer.get('PRAGMA wal_checkpoint(PASSIVE)')
    } catch (cause) {
      fail(codeOf(cause), cause instanceof Error ? cause : new Error(String(cause)))
    }
  }

  const ended = (ending: Ending): void => {
    worker = null
    if (isClosed) return
    if (ending.kind === 'failed') {
      fail(ending.errcode, new Error(`The checkpoint failed with SQLite's error ${ending.errcode}.`))
      return
    }
    rest = ending.kind === 'done' ? 'the end' : 'all'
    if (!writer.database.isTransaction) moveRest()
  }

  return {
    look: () => {
      if (rest !== 'nothing') moveRest()
      const [log] = measure()
      if (log < seen) nextAt = limit
      seen = log
      if (worker) {
        // SQLite cannot move the log in a commit while the thread does, so commits that are faster would not end it.
        if (log >= AT_MOST * limit && worker.wait(WAIT_MS)) {
          rest = 'all'
          moveRest()
        }
        return
      }
      if (log < nextAt) return
      // A reader of an old moment may keep the log from beginning anew.
      nextAt = log + Math.ceil(limit / 4)
      worker = start({ path, descriptor }, ended)
    },
    close: (closeFile) => {
      isClosed = true
      worker?.wait(WAIT_MS)
      closeFile()
      closeSync(descriptor)
    }
  }
}
