import { AsyncLocalStorage } from 'node:async_hooks'
import mongoose, { type Connection } from 'mongoose'

/** The calls that the api makes of a collection, and where among their arguments the options stand. */
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

/** Those that answer a cursor at once; all others answer a promise. */
const cursorCalls: ReadonlySet<string | symbol> = new Set(['aggregate', 'find'])

/** Begins to measure a call; what it answers ends that. */
export type StartTimer = () => () => void

/** Tells the calls of one task from those of all others; holds nothing itself. */
const tasks = new AsyncLocalStorage<{ hasGivenUp: boolean; isOver: boolean }>()

/**
 * Runs what answers one request. After the first call of it that was given up, every further one fails at once: who
 * asked has waited enough, and must not wait again for what the task would undo or count. What it leaves to a timer asks
 * for itself, once the request is over.
 */
export async function withOneDeadline<T>(run: () => T | Promise<T>): Promise<T> {
  const task = { hasGivenUp: false, isOver: false }
  try {
    return await tasks.run(task, run)
  } finally {
    task.isOver = true
  }
}

/** Runs what is done for others too, and again for as long as it takes, whichever request began it. */
export const withoutDeadlineOfRequest = <T>(run: () => T): T => tasks.exit(run)

/**
 * Bounds every call of `connection` as a whole. The driver's own limits are one for each stage (a server, a connection,
 * an answer) and begin anew when it tries a call again: together they are a multiple of what a caller should wait.
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
  const { MongoOperationTimeoutError, AbstractCursor } = mongoose.mongo
  const tooLong = () => new MongoOperationTimeoutError(`The database did not answer within ${ms} ms`)
  const task = tasks.getStore()
  if (task?.hasGivenUp === true && !task.isOver) {
    if (isOfCursor) throw tooLong()
    return Promise.reject(tooLong())
  }
  const deadline = new AbortController()
  const timer = setTimeout(() => {
    if (task !== undefined) task.hasGivenUp = true
    deadline.abort(tooLong())
  }, ms)
  const stopTimer = startTimer()
  const answered = () => {
    clearTimeout(timer)
    stopTimer()
  }
  const answer = call(deadline.signal)
  if (answer instanceof Promise) answer.then(answered, answered)
  else if (answer instanceof AbstractCursor) answer.once('close', answered)
  return answer
}
