import { Worker } from 'node:worker_threads'
import { FAILED_SYNC } from './failure.ts'

/** The result of a checkpoint off the event loop. */
export type Ending = { kind: 'done' } | { kind: 'failed'; errcode: number } | { kind: 'no worker' }

export interface CheckpointWorker {
  /** Blocks until the worker has closed the file, or the time-out. Returns whether it has, without an error. */
  wait(timeoutMs: number): boolean
}
/** `descriptor` is open on the file. The worker must not close it: that would release SQLite's locks of the whole process. */
export type StartCheckpoint = (
  file: { path: string; descriptor: number },
  ended: (ending: Ending) => void
) => CheckpointWorker

const OVER = 0
const ERRCODE = 1
const PASSES = 6

/**
 * The worker's program, as plain JavaScript that runs both from a bundle and from source. Each further pass moves what was
 * committed during the one before, and is shorter. SQLite syncs the file only when it has moved everything, so this program
 * syncs after every other pass. The shared memory reports the error code and that the file is closed.
 */
const program = `
  const { fsyncSync } = require('node:fs')
  const { workerData: { path, descriptor, shared } } = require('node:worker_threads')
  const { DatabaseSync } = require('node:sqlite')
  try {
    const database = new DatabaseSync(path)
    try {
      database.exec('PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0; SELECT count(*) FROM collections')
      const pass = database.prepare('PRAGMA wal_checkpoint(PASSIVE)')
      const look = database.prepare('PRAGMA wal_checkpoint(NOOP)')
      for (let before = -1, passes = 0; passes < ${PASSES}; passes++) {
        pass.get()
        const { log, checkpointed } = look.get()
        if (checkpointed === log || checkpointed === before) break
        before = checkpointed
        fsyncSync(descriptor)
      }
    } finally {
      database.close()
    }
  } catch (error) {
    shared[${ERRCODE}] = error.errcode ?? ${FAILED_SYNC}
  }
  Atomics.store(shared, ${OVER}, 1)
  Atomics.notify(shared, ${OVER})
`

/** Moves committed pages from the log to the file in a short-lived thread. */
export const startCheckpoint: StartCheckpoint = (file, ended) => {
  const shared = new Int32Array(new SharedArrayBuffer(8))
  let isEnded = false
  const end = (): void => {
    if (isEnded) return
    isEnded = true
    const errcode = shared[ERRCODE] ?? 0
    if (Atomics.load(shared, OVER) === 0) ended({ kind: 'no worker' })
    else ended(errcode === 0 ? { kind: 'done' } : { kind: 'failed', errcode })
  }
  try {
    // The thread needs no arguments or environment of the process.
    const worker = new Worker(program, { eval: true, execArgv: [], env: {}, workerData: { ...file, shared } })
    worker.unref()
    worker.once('error', end)
    worker.once('exit', end)
  } catch {
    setImmediate(end)
  }
  return { wait: (timeoutMs) => Atomics.wait(shared, OVER, 0, timeoutMs) !== 'timed-out' && shared[ERRCODE] === 0 }
}
