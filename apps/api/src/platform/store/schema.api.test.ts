import { hourMs } from '@batti/kit/durations'
import type { Connection } from 'mongoose'
import { pino } from 'pino'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { connectTestDatabase } from '../../testing/test-database.ts'
import { startApi } from '../../testing/test-api.ts'
import { migrate, readSchemaVersion, type Database, type Migration } from './schema.ts'

const log = pino({ level: 'silent' })
let connection: Connection
let database: Database
let uri: string
beforeAll(async () => {
  const opened = await connectTestDatabase()
  ;({ connection, uri } = opened)
  if (connection.db === undefined) throw new Error('not connected')
  database = connection.db
  return opened.close
})
beforeEach(() => database.dropDatabase())

/** Records that it ran; also the second time. */
const step = (name: string, ran: string[]): Migration => ({
  name,
  run: async () => void ran.push(name)
})

describe('the migrations of a database', () => {
  test('run once each, in order, and are recorded', async () => {
    const ran: string[] = []
    await migrate({ database, log, migrations: [step('one', ran)] })
    await migrate({ database, log, migrations: [step('one', ran), step('two', ran), step('three', ran)] })
    await migrate({ database, log, migrations: [step('one', ran), step('two', ran), step('three', ran)] })
    expect(ran).toEqual(['one', 'two', 'three'])
    const documents = await database.collection('schema').find().toArray()
    expect(documents).toEqual([
      {
        _id: 'schema',
        version: 3,
        ran: ['one', 'two', 'three'].map((name) => ({ name, at: expect.any(Date) }))
      }
    ])
  })

  test('run in one process at a time, however many are started', async () => {
    const ran: string[] = []
    let inside = 0
    const slow: Migration = {
      name: 'slow',
      async run() {
        inside += 1
        expect(inside).toBe(1)
        await database.collection('things').insertOne({})
        ran.push('slow')
        inside -= 1
      }
    }
    await Promise.all(Array.from({ length: 5 }, () => migrate({ database, log, migrations: [slow, step('two', ran)] })))
    expect(ran).toEqual(['slow', 'two'])
  })

  test('are left to a process that has taken the lock from one that stood still', async () => {
    const begun: string[] = []
    const migrationsOf = (who: string, run: () => Promise<void>): Migration[] => [
      { name: 'one', run: () => (begun.push(who), run()) }
    ]
    const goesOn = Promise.withResolvers<void>()
    const whileTheFirstGoesOn = async () => {
      goesOn.resolve()
      for (let read = 0; read < 50; read += 1) await readSchemaVersion(database)
    }
    let second = Promise.resolve()
    const standsStill = async () => {
      await database.collection('schema').updateOne({}, { $set: { 'lock.until': new Date(0) } })
      second = migrate({ database, log, migrations: migrationsOf('second', whileTheFirstGoesOn) })
      await goesOn.promise
    }
    await migrate({ database, log, migrations: migrationsOf('first', standsStill) })
    await second
    expect(begun).toEqual(['first', 'second'])
    expect(await readSchemaVersion(database)).toBe(1)
  })

  test.each([
    ['', -1000],
    [' whose clock was hours ahead', 2 * hourMs]
  ])('are tried again after a crash in the middle of one%s', async (_whose, untilMs) => {
    const ran: string[] = []
    const failing: Migration = { name: 'two', run: () => Promise.reject(new Error('killed')) }
    await expect(migrate({ database, log, migrations: [step('one', ran), failing] })).rejects.toThrow('killed')
    // As kill -9 leaves it: the lock of a process that is gone.
    const lock = { by: 'somebody who died', until: new Date(Date.now() + untilMs) }
    await database.collection('schema').updateOne({}, { $set: { lock } })
    await migrate({ database, log, migrations: [step('one', ran), step('two', ran)] })
    expect(ran).toEqual(['one', 'two'])
    expect(await readSchemaVersion(database)).toBe(2)
  })

  test('of a newer version stop an older one, in one sentence', async () => {
    await migrate({ database, log, migrations: [step('one', []), step('two', [])] })
    await expect(migrate({ database, log, migrations: [step('one', [])] })).rejects.toThrow(
      /^the database has schema 2 of a newer Batti, and this one knows up to 1: [^\n]+\.$/
    )
    expect(await readSchemaVersion(database)).toBe(2)
  })
})

test('a start with another retention time changes how long rows are kept', async () => {
  const first = await startApi({ uri })
  await first.stop()
  const byDueTime = { keyPattern: { dueAt: 1 }, expireAfterSeconds: 86_400 }
  await database.command({ collMod: 'scheduleOccurrences', index: byDueTime })
  const second = await startApi({ uri })
  const indexes = await second.connection.collection('scheduleOccurrences').indexes()
  expect(indexes.map((index) => index['expireAfterSeconds']).filter((seconds) => seconds !== undefined)).toEqual([
    30 * 86_400
  ])
  await second.stop()
})

test('an older database keeps only the indexes of its log that are still used', async () => {
  const logs = database.collection('switchActionLogs')
  await logs.createIndex({ switchId: 1, createdAt: -1, _id: -1 })
  await logs.createIndex({ createdAt: -1 }, { expireAfterSeconds: 180 * 86_400 })
  const report = { 'report.bootId': 1, 'report.seq': 1 } as const
  await logs.createIndex({ deviceId: 1, switchIndex: 1, ...report }, { unique: true })
  const api = await startApi({ uri })
  expect((await logs.indexes()).map(({ name }) => String(name)).toSorted()).toEqual([
    '_id_',
    'createdAt_-1__id_-1',
    'deviceId_1_createdAt_-1__id_-1',
    'userId_1_createdAt_-1__id_-1'
  ])
  await api.stop()
})
