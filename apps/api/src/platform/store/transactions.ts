import { createSemaphore } from '@batti/kit/semaphore'
import mongoose, { type Connection } from 'mongoose'
import { commitEffects } from '../after-commit.ts'

// Every mongoose call during a transaction joins it without being passed its session.
mongoose.set('transactionAsyncLocalStorage', true)

export type RunInTransaction = <Result>(work: () => Promise<Result>) => Promise<Result>

/** Long enough for 50 transactions, and for a caller to wait who learns then that the database is away. */
const usualPatienceMs = 5000

/**
 * Runs work whose writes are stored together or not at all; nested work joins the outer transaction. It may run twice.
 * Whoever loses to another transaction waits longer each time, so new ones let it pass, for at most `patienceMs`: otherwise it
 * could lose for ever.
 */
export function createTransactions(connection: Connection, patienceMs = usualPatienceMs): RunInTransaction {
  const retries = createSemaphore(1)
  const enter = () => retries.enter(AbortSignal.timeout(patienceMs)).catch(() => () => undefined)

  return async (work) => {
    if (commitEffects.getStore() !== undefined) return work()
    const passed = await enter()
    passed()
    let attempts = 0
    let leave: (() => void) | undefined
    try {
      const { result, effects } = await connection.transaction(async (session) => {
        attempts += 1
        if (attempts > 1) leave ??= await enter()
        // A single first call starts the transaction: several at once would each try to.
        await connection.collection('transactions').findOne({}, { session })
        const waiting: (() => void)[] = []
        return { result: await commitEffects.run(waiting, work), effects: waiting }
      })
      for (const effect of effects) effect()
      return result
    } finally {
      leave?.()
    }
  }
}
