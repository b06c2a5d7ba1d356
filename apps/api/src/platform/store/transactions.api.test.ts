import { until } from '@batti/kit/testing'
import { Schema, type Connection, type Model } from 'mongoose'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { connectTestDatabase } from '../../testing/test-database.ts'
import { createTransactions, type RunInTransaction } from './transactions.ts'

let connection: Connection
let records: Model<{ by: string[] }>
let inTransaction: RunInTransaction
/** The names of the transactions, each time one begins. */
let begun: string[]

beforeAll(async () => {
  const database = await connectTestDatabase()
  connection = database.connection
  records = connection.model<{ by: string[] }>('Record', new Schema<{ by: string[] }>({ by: [String] }))
  return database.close
})
beforeEach(async () => {
  await records.deleteMany()
  await records.create({ by: [] })
  inTransaction = createTransactions(connection, { deadlineMs: 60_000, patienceMs: 60_000 })
  begun = []
})

/** Writes the only record, and commits after `rest`. */
const write = (name: string, rest?: () => Promise<unknown>) =>
  inTransaction(async () => {
    begun.push(name)
    await records.updateOne({}, { $push: { by: name } })
    await rest?.()
  })
const timesBegun = (name: string) => begun.filter((each) => each === name).length

/** Starts one that holds the record, and one that loses it and waits. */
async function startTwo(restOfSecond?: () => Promise<unknown>) {
  const held = Promise.withResolvers<void>()
  const holds = Promise.withResolvers<void>()
  const first = write('first', () => {
    holds.resolve()
    return held.promise
  })
  await holds.promise
  const second = write('second', restOfSecond)
  await until('the second one has lost twice', () => timesBegun('second') > 2)
  return { release: held.resolve, first, second }
}

test('a transaction that lost to another one is not overtaken by those that come after it', async () => {
  const { release, first, second } = await startTwo()
  const later = [write('third'), inTransaction(async () => void begun.push('fourth'))]
  release()
  await Promise.all([first, second, ...later])
  expect((await records.findOne().lean())?.by).toEqual(['first', 'second', 'third'])
  // These two begin together.
  expect(new Set(begun.slice(begun.lastIndexOf('second') + 1))).toEqual(new Set(['third', 'fourth']))
})

test('a transaction that fails after it lost lets the others pass', async () => {
  const { release, first, second } = await startTwo(() => Promise.reject(new Error('no such room')))
  const third = write('third')
  release()
  await expect(second).rejects.toThrow('no such room')
  await Promise.all([first, third])
  expect((await records.findOne().lean())?.by).toEqual(['first', 'third'])
})

test('a transaction that cannot go on does not hold up the others for ever', async () => {
  inTransaction = createTransactions(connection, { deadlineMs: 60_000, patienceMs: 1 })
  const { release, first, second } = await startTwo()
  expect(await inTransaction(async () => 'stored')).toBe('stored')
  release()
  await Promise.all([first, second])
})
