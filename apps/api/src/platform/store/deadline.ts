import { AsyncLocalStorage } from 'node:async_hooks'
import mongoose, { type Connection } from 'mongoose'

/** The collection methods that the api calls, and the position of the options among their arguments. */
const optionsAt: ReadonlyMap<string | symbol, number> = new Map([
  ['aggregate', 1],
  ['bulkWrite', 1],
  ['countDocuments', 1],
  ['deleteMany', 1],
  ['deleteOne', 1],
  ['distinct', 2],
  ['estimatedDocumentCount', 0],
  ['find', 1],
  ['findOne', 1],
  ['findOneAndDelete', 1],
  ['findOneAndReplace', 2],
  ['findOneAndUpdate', 2],
  ['insertMany', 1],
  ['insertOne', 1],
  ['replaceOne', 2],
  ['updateMany', 2],
  ['updateOne', 2]
])

/** Methods that return a cursor immediately; all others return a promise. */
const cursorCalls: ReadonlySet<string | symbol> = new Set(['aggregate', 'find'])

/** Starts measuring a call; the returned function ends the measurement. */
export type StartTimer = () => () => void

interface Task {
  hasGivenUp: boolean
  isOver: boolean
  /** Rejects at the first call that timed out. */
  timeout: PromiseWithResolvers<never>
}

/** Identifies the task that a call belongs to; keeps no state beyond it. */
const tasks = new AsyncLocalStorage<Task>()

/**
 * Runs the work of one request. After its first database call that timed out, all further calls fail at once: the client
 * has waited long enough, and must not wait again for an undo or a count. Timers that outlive the request are not
 * affected.
 */
export async function withOneDeadline<T>(run: () => T | Promise<T>): Promise<T> {
  const task: Task = { hasGivenUp: false, isOver: false, timeout: Promise.withResolvers<never>() }
  task.timeout.promise.catch(() => undefined)
  try {
    return await tasks.run(task, run)
  } finally {
    task.isOver = true
  }
}

/**
 * Runs work in which the driver makes calls of its own, such as a rollback. Rejects as soon as a database call of the request
 * has timed out; what is left of the work goes on without the caller.
 */
export async function untilTimeout<T>(run: () => Promise<T>): Promise<T> {
  const task = tasks.getStore()
  return task === undefined ? withOneDeadline(() => untilTimeout(run)) : Promise.race([run(), task.timeout.promise])
}

/** Starts the deadline of a call. The returned function ends it. */
export function startDeadline(ms: number, onLate?: (error: Error) => void): () => void {
  const task = tasks.getStore()
  const timer = setTimeout(() => {
    const error = tooLong(ms)
    if (task !== undefined) task.hasGivenUp = true
    task?.timeout.reject(error)
    onLate?.(error)
  }, ms)
  return () => clearTimeout(timer)
}

export const isTooLong = (error: unknown): boolean => error instanceof mongoose.mongo.MongoOperationTimeoutError

const tooLong = (ms: number): Error =>
  new mongoose.mongo.MongoOperationTimeoutError(`The database did not answer within ${ms} ms`)

/** Runs shared or retried work outside the deadline of the request that started it. */
export const withoutDeadlineOfRequest = <T>(run: () => T): T => tasks.exit(run)

/**
 * Bounds the total time of every call of `connection`. The driver's own timeouts apply per stage (server selection,
 * connection, answer) and start again on a retry, so together they are a multiple of what a caller should wait.
 */
export function boundCalls(connection: Connection, ms: number, startTimer: StartTimer = () => () => {}): void {
  const { db } = connection
  if (db === undefined) throw new Error('Only the calls of an open connection can be bound.')
  const open = db.collection.bind(db)
  db.collection = (...which: Parameters<typeof open>) =>
    new Proxy(open(...which), {
      get(collection, name) {
        const method: unknown = Reflect.get(collection, name)
        const at = optionsAt.get(name)
        if (at === undefined || typeof method !== 'function') return method
        return (...args: unknown[]) =>
          bound({ ms, startTimer, isOfCursor: cursorCalls.has(name) }, (signal) => {
            args[at] = Object.assign({ signal }, args[at])
            return Reflect.apply(method, collection, args) as unknown
          })
      }
    })
}

function bound(
  { ms, startTimer, isOfCursor }: { ms: number; startTimer: StartTimer; isOfCursor: boolean },
  call: (signal: AbortSignal) => unknown
): unknown {
  const task = tasks.getStore()
  if (task?.hasGivenUp === true && !task.isOver) {
    if (isOfCursor) throw tooLong(ms)
    return Promise.reject(tooLong(ms))
  }
  const deadline = new AbortController()
  const endDeadline = startDeadline(ms, (error) => deadline.abort(error))
  const stopTimer = startTimer()
  const answered = () => {
    endDeadline()
    stopTimer()
  }
  const answer = call(deadline.signal)
  if (answer instanceof Promise) answer.then(answered, answered)
  else if (answer instanceof mongoose.mongo.AbstractCursor) answer.once('close', answered)
  return answer
}
