import { createDatabaseName, databaseUri, startTestDatabase } from '@batti/embedded-mongo/testing'
import { until } from '@batti/kit/testing'
import { setTimeout as wait } from 'node:timers/promises'
import pino from 'pino'
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest'
import { toAppError } from '../http/error-handler.ts'
import { startAwakeTime } from '../../testing/awake-time.ts'
import { startLineToDatabase, type LineToDatabase } from '../../testing/line-to-database.ts'
import { connectDatabase, databaseDeadlineMs, pingDatabase } from './database.ts'
import { withOneDeadline } from './deadline.ts'
import { createWriteBehind } from './batches/write-behind.ts'

/** More than one wait of a caller, less than two in a row. */
const twoWaitsMs = 1.5 * databaseDeadlineMs

let database: Awaited<ReturnType<typeof startTestDatabase>>
let connection: Awaited<ReturnType<typeof connectDatabase>>
let line: LineToDatabase

beforeAll(async () => {
  database = await startTestDatabase()
  line = await startLineToDatabase(database.uri)
  connection = await connectDatabase(databaseUri(line.uri, createDatabaseName('away')))
})
afterEach(async () => {
  line.freeze(false)
  await until('the database answers', () => pingDatabase(connection))
})
afterAll(async () => {
  await connection.dropDatabase()
  await connection.close()
  await line.stop()
  await database.stop()
})

/** The answer to a call, and whether it came in time. */
async function noticeOf(call: () => Promise<unknown>): Promise<unknown> {
  const passed = startAwakeTime()
  const received = await call().catch((error: unknown) => toAppError(error).code)
  return passed() < twoWaitsMs ? received : 'too late'
}
const look = () => connection.collection('nothing').findOne({})
const lookOften = (times: number) => Promise.all(Array.from({ length: times }, () => noticeOf(look)))

// More calls than the pool has connections: some wait for a connection, some for a new one's handshake, some for an
// answer.
test('a frozen database is reported to every caller as unavailable, and is used again when it resumes', async () => {
  // A call could be tried twice on existing connections. A slow machine may take too long to open so many at first.
  await until('every call is answered', async () => (await lookOften(40)).every((answer) => answer === null))
  line.freeze(true)
  expect(new Set(await lookOften(40))).toEqual(new Set(['UNAVAILABLE']))
  line.freeze(false)
  await until('calls are answered again', async () => (await lookOften(2)).every((answer) => answer === null))
})

test('a database that closes its connections during calls is used again, each time', async () => {
  let isOver = false
  const lookOn = async (): Promise<void> => {
    while (!isOver) await look().catch(() => wait(5))
  }
  const lookers = Array.from({ length: 12 }, lookOn)
  for (let round = 0; round < 10; round += 1) {
    // Sooner, the driver would delay its own check of the database, which must not be lost.
    await wait(600)
    line.cut()
    await until('the database answers', () => pingDatabase(connection))
  }
  isOver = true
  await Promise.all(lookers)
})

const things = () => connection.collection('things')
test('no call of any kind waits twice', async () => {
  const calls = {
    insertOne: () => things().insertOne({ a: 1 }),
    insertMany: () => things().insertMany([{ a: 1 }, { a: 2 }]),
    updateOne: () => things().updateOne({ a: 1 }, { $set: { a: 2 } }),
    updateMany: () => things().updateMany({ a: 1 }, { $set: { a: 2 } }),
    replaceOne: () => things().replaceOne({ a: 1 }, { a: 2 }),
    deleteOne: () => things().deleteOne({ a: 1 }),
    deleteMany: () => things().deleteMany({ a: 1 }),
    bulkWrite: () => things().bulkWrite([{ insertOne: { document: { a: 1 } } }, { deleteOne: { filter: {} } }]),
    findOneAndUpdate: () => things().findOneAndUpdate({ a: 1 }, { $set: { a: 2 } }),
    findOneAndReplace: () => things().findOneAndReplace({ a: 1 }, { a: 2 }),
    findOneAndDelete: () => things().findOneAndDelete({ a: 1 }),
    find: () => things().find({}).toArray(),
    countDocuments: () => things().countDocuments({ a: 1 }),
    estimatedDocumentCount: () => things().estimatedDocumentCount(),
    distinct: () => things().distinct('a', {}),
    aggregate: () =>
      things()
        .aggregate([{ $match: { a: 1 } }])
        .toArray()
  }
  const received = async (): Promise<[string, unknown][]> =>
    Promise.all(Object.entries(calls).map(async ([name, call]) => [name, await noticeOf(call)]))
  // A call could be tried twice on existing connections.
  await until('every call is answered', async () => (await received()).every(([, answer]) => answer !== 'UNAVAILABLE'))
  line.freeze(true)
  expect(await received()).toEqual(Object.keys(calls).map((name) => [name, 'UNAVAILABLE']))
})

test('a list that was half read when the database froze ends in time', async () => {
  await things().insertMany(Array.from({ length: 10 }, (_, at) => ({ at })))
  const cursor = things().find({}, { batchSize: 2 })
  await cursor.next()
  line.freeze(true)
  expect(await noticeOf(() => cursor.toArray())).toBe('UNAVAILABLE')
})

test('a rollback after a call that timed out does not make the request wait again', async () => {
  await look()
  line.freeze(true)
  const lookTwice = () => look().catch(look)
  expect(await noticeOf(() => withOneDeadline(lookTwice))).toBe('UNAVAILABLE')
  line.freeze(false)
  await until('the database answers', () => pingDatabase(connection))
  await until(
    'another request is answered',
    async () => (await noticeOf(() => withOneDeadline(lookTwice))) !== 'UNAVAILABLE'
  )
})

test('a call that is skipped after a timeout rejects instead of throwing', async () => {
  await look()
  line.freeze(true)
  await withOneDeadline(async () => {
    await look().catch(() => undefined)
    expect(
      await things()
        .insertOne({ a: 1 })
        .catch(() => 'failed')
    ).toBe('failed')
    const unhandled = () =>
      void things()
        .insertOne({ a: 1 })
        .catch(() => undefined)
    expect(unhandled).not.toThrow()
  })
})

test('work that a request leaves to a timer is tried again after the request', async () => {
  await look()
  line.freeze(true)
  const ended = Promise.withResolvers<void>()
  let later: Promise<unknown> = Promise.resolve()
  await withOneDeadline(async () => {
    await look().catch(() => undefined)
    later = ended.promise.then(look)
  })
  line.freeze(false)
  await until('the database answers', () => pingDatabase(connection))
  const tries: unknown[] = []
  const client = connection.getClient().on('connectionCheckOutStarted', (event) => tries.push(event))
  onTestFinished(() => void client.removeAllListeners('connectionCheckOutStarted'))
  ended.resolve()
  await later.catch(() => undefined)
  expect(tries.length).toBeGreaterThan(0)
})

test('a request that waits for the write-behind store is answered when the database is back', async () => {
  await look()
  const storing = createWriteBehind<object, never, never>({
    store: async () => void (await things().updateOne({ a: 1 }, { $set: { a: 2 } })),
    log: pino({ level: 'silent' })
  })
  line.freeze(true)
  const answered = withOneDeadline(() => {
    storing.addLog({ a: 1 })
    return storing.stored()
  })
  await until('the store counts as ill', () => !storing.isHealthy())
  line.freeze(false)
  await answered
  expect(storing.isHealthy()).toBe(true)
})

test('a start waits for its database for a limited time', async () => {
  line.freeze(true)
  await expect(connectDatabase(line.uri, { waitMs: 1500 })).rejects.toThrow()
})
