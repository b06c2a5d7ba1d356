import { Worker } from 'node:worker_threads'
import { FAILED_SYNC } from './failure.ts'

/** How a checkpoint beside the event loop ended. */
export type Ending = { kind: 'done' } | { kind: 'failed'; errcode: number } | { kind: 'no worker' }

export interface CheckpointWorker {
  /** Blocks until it has let go of the file, or for so long. Says whether it has, and without an error. */
  wait(timeoutMs: number): boolean
}
/** `descriptor` is one of the file: who closed one would let go of SQLite's locks in all of the process. */
export type StartCheckpoint = (
  file: { path: string; descriptor: number },
  ended: (ending: Ending) => void
) => CheckpointWorker

const OVER = 0
const ERRCODE = 1
const PASSES = 6

/**
 * A few lines of plain JavaScript, so that they run from a bundle as from source. What is committed meanwhile is moved in
 * another pass, which is shorter. SQLite syncs the file when it has moved everything, and else leaves that to whoever moves
 * the rest: here it is synced after each pass. The memory that is shared says that the file is closed, and the error.
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

/** Moves what was committed from the log to the file, in a thread that lives only for that. */
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
    // Nothing of what the process was started with is for this thread.
    const worker = new Worker(program, { eval: true, execArgv: [], env: {}, workerData: { ...file, shared } })
    worker.unref()
    worker.once('error', end)
    worker.once('exit', end)
  } catch {
    setImmediate(end)
  }
  return { wait: (timeoutMs) => Atomics.wait(shared, OVER, 0, timeoutMs) !== 'timed-out' && shared[ERRCODE] === 0 }
}
