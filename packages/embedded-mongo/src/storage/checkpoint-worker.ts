import { Worker } from 'node:worker_threads'

/** How a checkpoint beside the event loop ended. */
export type Ending = { kind: 'done' } | { kind: 'failed'; errcode: number } | { kind: 'no worker' }

export interface CheckpointWorker {
  /** Blocks until it has let go of the file, or for so long. */
  wait(timeoutMs: number): void
}
export type StartCheckpoint = (path: string, ended: (ending: Ending) => void) => CheckpointWorker

const OVER = 0
const ERRCODE = 1

/**
 * A few lines of plain JavaScript, so that they run from a bundle as from source. What is committed meanwhile is moved in
 * another pass, which is shorter; the memory that is shared says that the file is closed, and the error if there was one.
 */
const program = `
  const { workerData: { path, shared } } = require('node:worker_threads')
  const { DatabaseSync } = require('node:sqlite')
  try {
    const database = new DatabaseSync(path)
    try {
      database.exec('PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0; SELECT count(*) FROM collections')
      const pass = database.prepare('PRAGMA wal_checkpoint(PASSIVE)')
      for (let moved = -1, passes = 0; passes < 4; passes++) {
        const { busy, log, checkpointed } = pass.get()
        if (busy !== 0 || checkpointed === log || checkpointed === moved) break
        moved = checkpointed
      }
    } finally {
      database.close()
    }
  } catch (error) {
    shared[${ERRCODE}] = error.errcode ?? -1
  }
  Atomics.store(shared, ${OVER}, 1)
  Atomics.notify(shared, ${OVER})
`

/** Moves what was committed from the log to the file, in a thread that lives only for that. */
export const startCheckpoint: StartCheckpoint = (path, ended) => {
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
    const worker = new Worker(program, { eval: true, execArgv: [], env: {}, workerData: { path, shared } })
    worker.unref()
    worker.once('error', end)
    worker.once('exit', end)
  } catch {
    setImmediate(end)
  }
  return { wait: (timeoutMs) => void Atomics.wait(shared, OVER, 0, timeoutMs) }
}
