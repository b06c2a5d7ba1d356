import { closeSync, openSync } from 'node:fs'
import type { CheckpointWorker, Ending, StartCheckpoint } from './checkpoint-worker.ts'
import type { Connection } from './connection.ts'
import { codeOf, isFailedSync } from './failure.ts'
import { logPages } from './log-pages.ts'

export interface Checkpoints {
  /** Checks the length of the log, between two commits. */
  look(): void
  /** Blocks until a running checkpoint has ended, then closes the file. */
  close(closeFile: () => void): void
}

export interface CheckpointOptions {
  writer: Connection
  path: string
  /** The length of the log, in bytes, at which it is moved to the file. */
  bytes: number
  start: StartCheckpoint
  /** Called when the file or the log could not be synced. */
  onFailedSync(cause: Error): void
}

/** How long a stop, or a commit with an overlong log, may wait for the thread. */
const WAIT_MS = 5000
/** A pause of commits in which a log that is still too long is moved again. */
const QUIET_MS = 1000
/** A log of this many times the limit is moved by a commit, even if the thread is stuck. */
const AT_MOST = 4
/** The first SQLite version that can report the length of the log without moving anything. */
const [MAJOR, MINOR] = [3, 51]

/**
 * Checkpoints the write-ahead log to the file off the event loop. SQLite restarts the log when a commit finds that all of it
 * was moved. The writer itself moves what was committed while the thread ended, between two commits.
 */
export function createCheckpoints(options: CheckpointOptions): Checkpoints {
  const { writer, path, start, onFailedSync } = options
  const [version] = writer.get('SELECT sqlite_version()') ?? []
  const [major = 0, minor = 0] = String(version).split('.').map(Number)
  // An older SQLite keeps its automatic checkpoints, which run in a commit.
  if (major === MAJOR && minor < MINOR) return { look: () => {}, close: (closeFile) => closeFile() }

  const [pageBytes] = writer.get('PRAGMA page_size') ?? []
  const limit = Math.max(1, Math.round(options.bytes / Number(pageBytes)))
  writer.exec(`PRAGMA wal_autocheckpoint = ${AT_MOST * limit}`)
  const descriptor = openSync(path, 'r+')
  let worker: CheckpointWorker | null = null
  let isClosed = false
  /** The part of the log that the writer still has to move. */
  let rest: 'nothing' | 'the end' | 'all' = 'nothing'
  let nextAt = limit
  let seen = 0
  let quiet: NodeJS.Timeout | undefined

  const fail = (errcode: number, cause: Error): void => {
    // On a full disk the log keeps its content, and a later checkpoint tries again.
    if (isFailedSync(errcode)) onFailedSync(cause)
  }

  const moveRest = (): void => {
    const what = rest
    rest = 'nothing'
    try {
      const [log, moved] = logPages(writer)
      // If nothing was moved, the log has already been restarted.
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

  const run = (): void => void (worker = start({ path, descriptor }, ended))

  /** Under load some reader nearly always prevents a restart of the log, so a pause of commits is used for it. */
  const moveWhenQuiet = (): void => {
    if (quiet !== undefined) return void quiet.refresh()
    quiet = setTimeout(() => {
      quiet = undefined
      // An open commit ends with another look.
      if (isClosed || worker || writer.database.isTransaction) return
      const [log, moved] = logPages(writer)
      if (log >= limit && moved < log) run()
    }, QUIET_MS).unref()
  }

  return {
    look: () => {
      if (rest !== 'nothing') moveRest()
      const [log] = logPages(writer)
      if (log < seen) nextAt = limit
      seen = log
      if (log >= limit) moveWhenQuiet()
      if (worker) {
        // SQLite cannot checkpoint in a commit while the thread does, so the log would grow without limit under fast commits.
        if (log >= AT_MOST * limit && worker.wait(WAIT_MS)) {
          rest = 'all'
          moveRest()
        }
        return
      }
      if (log < nextAt) return
      // A reader of an old snapshot may prevent a restart of the log, so do not try again at once.
      nextAt = log + Math.ceil(limit / 4)
      run()
    },
    close: (closeFile) => {
      isClosed = true
      clearTimeout(quiet)
      worker?.wait(WAIT_MS)
      closeFile()
      closeSync(descriptor)
    }
  }
}
