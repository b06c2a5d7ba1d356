import { createSemaphore } from '@batti/kit/semaphore'
import mongoose, { type Connection } from 'mongoose'
import { commitEffects, isInTransaction } from '../after-commit.ts'
import { databaseDeadlineMs } from './database.ts'
import { isTooLong, startDeadline, untilTimeout } from './deadline.ts'

// Every mongoose call during a transaction joins it without being passed its session.
mongoose.set('transactionAsyncLocalStorage', true)

export type RunInTransaction = <Result>(work: () => Promise<Result>) => Promise<Result>

/** Long enough for 50 transactions. */
const usualPatienceMs = 5000

/**
 * Runs work whose writes are stored together or not at all; nested work joins the outer transaction. It may run twice.
 * Whoever loses to another transaction waits longer each time, so new ones let it pass, for at most `patienceMs`: otherwise it
 * could lose for ever. If the database does not answer one within `deadlineMs`, it fails, and so do those that wait for it.
 */
export function createTransactions(
  connection: Connection,
  { deadlineMs = databaseDeadlineMs, patienceMs = usualPatienceMs }: { deadlineMs?: number; patienceMs?: number } = {}
): RunInTransaction {
  const retries = createSemaphore(1)
  let silence = new AbortController()

  async function enter(): Promise<() => void> {
    const { signal } = silence
    try {
      return await retries.enter(AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]))
    } catch {
      signal.throwIfAborted()
      return () => undefined
    }
  }

  async function run<Result>(work: () => Promise<Result>, caller: { hasLeft: boolean }): Promise<Result> {
    const passed = await enter()
    passed()
    let attempts = 0
    let leave: (() => void) | undefined
    let ended: (() => void) | undefined
    try {
      const { result, effects } = await connection.transaction(async (session) => {
        ended?.()
        attempts += 1
        if (attempts > 1) leave ??= await enter()
        // Nobody waits for another attempt: its caller may have repeated the request.
        if (caller.hasLeft) throw new Error('The caller was answered already.')
        try {
          // A single first call starts the transaction: several at once would each try to.
          await connection.collection('transactions').findOne({}, { session })
          const waiting: (() => void)[] = []
          return { result: await commitEffects.run(waiting, work), effects: waiting }
        } finally {
          // Of the driver's commit or rollback.
          ended = startDeadline(deadlineMs)
        }
      })
      for (const effect of effects) effect()
      return result
    } finally {
      ended?.()
      leave?.()
    }
  }

  return async (work) => {
    if (isInTransaction()) return work()
    const caller = { hasLeft: false }
    try {
      return await untilTimeout(() => run(work, caller))
    } catch (error) {
      caller.hasLeft = true
      if (isTooLong(error)) {
        silence.abort(error)
        silence = new AbortController()
      }
      throw error
    }
  }
}
