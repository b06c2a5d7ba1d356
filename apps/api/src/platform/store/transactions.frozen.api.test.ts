import { createDatabaseName, databaseUri, startTestDatabase } from '@batti/embedded-mongo/testing'
import { until } from '@batti/kit/testing'
import { Schema, type Connection, type Model } from 'mongoose'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { afterCommit } from '../after-commit.ts'
import { toAppError } from '../http/error-handler.ts'
import { startAwakeTime } from '../../testing/awake-time.ts'
import { startLineToDatabase, type LineToDatabase } from '../../testing/line-to-database.ts'
import { connectDatabase, databaseDeadlineMs, pingDatabase } from './database.ts'
import { withOneDeadline } from './deadline.ts'
import { createTransactions, type RunInTransaction } from './transactions.ts'

/** More than one wait of a caller, less than two in a row. */
const twoWaitsMs = 1.5 * databaseDeadlineMs

let connection: Connection
let line: LineToDatabase
let records: Model<{ by: string[] }>
let inTransaction: RunInTransaction
/** Returns the time since the database froze. */
let passed: (() => number) | undefined

beforeAll(async () => {
  const database = await startTestDatabase()
  line = await startLineToDatabase(database.uri)
  connection = await connectDatabase(databaseUri(line.uri, createDatabaseName('frozen')))
  records = connection.model<{ by: string[] }>('Record', new Schema<{ by: string[] }>({ by: [String] }))
  return async () => {
    await connection.dropDatabase()
    await connection.close()
    await line.stop()
    await database.stop()
  }
})
beforeEach(async () => {
  await records.deleteMany()
  await records.create({ by: [] })
  inTransaction = createTransactions(connection)
})
afterEach(thaw)

function freeze(): void {
  line.freeze(true)
  passed = startAwakeTime()
}
async function thaw(): Promise<void> {
  passed?.()
  passed = undefined
  line.freeze(false)
  await until('the database answers', () => pingDatabase(connection))
}
const write = (name: string) => records.updateOne({}, { $push: { by: name } })
const stored = async () => (await records.findOne().lean())?.by

/** The answer to a request with one transaction. */
const noticeOf = (work: () => Promise<unknown>): Promise<unknown> =>
  withOneDeadline(() => inTransaction(work)).catch((error: unknown) => toAppError(error).code)

test('a transaction waits once for a frozen database, also if it has to be rolled back', async () => {
  const notice = await noticeOf(async () => {
    await write('first')
    freeze()
    await write('second')
  })
  expect(notice).toBe('UNAVAILABLE')
  expect(passed?.()).toBeLessThan(twoWaitsMs)
})

test('a commit waits once; what follows it is done when it succeeds later', async () => {
  const effects: string[] = []
  const notice = await noticeOf(async () => {
    await write('first')
    afterCommit(() => effects.push('told'))
    freeze()
  })
  expect([notice, effects]).toEqual(['UNAVAILABLE', []])
  expect(passed?.()).toBeLessThan(twoWaitsMs)
  await thaw()
  await until('the transaction is through', () => effects.length > 0)
  expect(await stored()).toEqual(['first'])
})

test('those that wait for a transaction that gets no answer fail with it, and later ones are made', async () => {
  const begun: string[] = []
  const held = Promise.withResolvers<void>()
  const begin = (name: string, rest?: () => Promise<unknown>) =>
    noticeOf(async () => {
      begun.push(name)
      await write(name)
      await rest?.()
    })
  const timesBegun = (name: string) => begun.filter((each) => each === name).length
  const first = begin('first', async () => {
    await held.promise
    await write('first')
  })
  await until('the first one has begun', () => timesBegun('first') === 1)
  const second = begin('second')
  await until('the second one has lost twice', () => timesBegun('second') > 2)
  const later = Array.from({ length: 3 }, () => begin('later'))
  freeze()
  held.resolve()
  const notices = await Promise.all([first, second, ...later])
  expect(passed?.()).toBeLessThan(twoWaitsMs)
  expect(notices).toEqual(Array.from(notices, () => 'UNAVAILABLE'))
  expect(timesBegun('later')).toBe(0)
  await thaw()
  await until('a later one is made', async () => (await begin('last')) === undefined)
  expect(await stored()).toEqual(['last'])
})
