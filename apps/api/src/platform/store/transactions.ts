import mongoose, { type Connection } from 'mongoose'
import { commitEffects } from '../after-commit.ts'

// Every call of mongoose that is made while a transaction runs becomes part of it, without being handed its session.
mongoose.set('transactionAsyncLocalStorage', true)

export type RunInTransaction = <Result>(work: () => Promise<Result>) => Promise<Result>

/** Runs work whose writes are stored together or not at all; work that is in one already joins it. It may run twice. */
export const createTransactions =
  (connection: Connection): RunInTransaction =>
  async (work) => {
    if (commitEffects.getStore() !== undefined) return work()
    const { result, effects } = await connection.transaction(async (session) => {
      // A first call that is alone: of several at once each would try to start the transaction.
      await connection.collection('transactions').findOne({}, { session })
      const waiting: (() => void)[] = []
      return { result: await commitEffects.run(waiting, work), effects: waiting }
    })
    for (const effect of effects) effect()
    return result
  }
