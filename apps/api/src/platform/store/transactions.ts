import mongoose, { type Connection } from 'mongoose'
import { commitEffects } from '../after-commit.ts'

// Every mongoose call during a transaction joins it without being passed its session.
mongoose.set('transactionAsyncLocalStorage', true)

export type RunInTransaction = <Result>(work: () => Promise<Result>) => Promise<Result>

/** Runs work whose writes are stored together or not at all; nested work joins the outer transaction. It may run twice. */
export const createTransactions =
  (connection: Connection): RunInTransaction =>
  async (work) => {
    if (commitEffects.getStore() !== undefined) return work()
    const { result, effects } = await connection.transaction(async (session) => {
      // A single first call starts the transaction: several at once would each try to.
      await connection.collection('transactions').findOne({}, { session })
      const waiting: (() => void)[] = []
      return { result: await commitEffects.run(waiting, work), effects: waiting }
    })
    for (const effect of effects) effect()
    return result
  }
