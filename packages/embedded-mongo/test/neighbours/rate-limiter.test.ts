import mongoose, { type Connection } from 'mongoose'
import { RateLimiterMongo, type RateLimiterRes } from 'rate-limiter-flexible'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDatabaseName, databaseUri, startTestDatabase, type TestDatabase } from '../../src/testing.ts'

describe("rate-limiter-flexible's Mongo store", () => {
  let database: TestDatabase
  let connection: Connection
  beforeAll(async () => {
    database = await startTestDatabase()
    connection = await mongoose.createConnection(databaseUri(database.uri, createDatabaseName('limits'))).asPromise()
  })
  afterAll(async () => {
    await connection?.close()
    await database?.stop()
  })

  it('counts up to the limit, however many ask at once', async () => {
    const limiter = new RateLimiterMongo({
      storeClient: connection,
      keyPrefix: 'login',
      points: 5,
      duration: 60,
      blockDuration: 60
    })
    const outcomes = await Promise.allSettled(Array.from({ length: 12 }, () => limiter.consume('someone')))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
    const refused = outcomes.flatMap((outcome) =>
      outcome.status === 'rejected' ? [outcome.reason as RateLimiterRes] : []
    )
    expect(refused[0]?.msBeforeNext).toBeGreaterThan(0)
    expect((await limiter.get('someone'))?.consumedPoints).toBeGreaterThan(5)
    await limiter.delete('someone')
    expect((await limiter.consume('someone')).remainingPoints).toBe(4)
  })

  it('blocks, rewards and penalises', async () => {
    const limiter = new RateLimiterMongo({ storeClient: connection, keyPrefix: 'codes', points: 2, duration: 60 })
    await limiter.penalty('a', 2)
    await expect(limiter.consume('a')).rejects.toMatchObject({ remainingPoints: 0 })
    await limiter.reward('a', 3)
    expect((await limiter.consume('a')).consumedPoints).toBeLessThanOrEqual(2)
    await limiter.block('b', 100)
    await expect(limiter.consume('b')).rejects.toHaveProperty('msBeforeNext')
  })
})
