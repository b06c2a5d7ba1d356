import { createDatabaseName, databaseUri, startTestDatabase } from '@batti/embedded-mongo/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectDatabase } from '../store/database.ts'
import { createServerKeys } from '../store/server-keys.ts'
import { createRateLimitModel, createRateLimits } from './rate-limits.ts'

let database: Awaited<ReturnType<typeof startTestDatabase>>
let connection: Awaited<ReturnType<typeof connectDatabase>>
beforeAll(async () => {
  database = await startTestDatabase()
  connection = await connectDatabase(databaseUri(database.uri, createDatabaseName('limits')))
})
afterAll(async () => {
  await connection.dropDatabase()
  await connection.close()
  await database.stop()
})

let now = Date.now()
const keys = createServerKeys('k'.repeat(32))
const limits = () =>
  createRateLimits({
    counters:
      connection.models['RateLimit'] === undefined ? createRateLimitModel(connection) : connection.model('RateLimit'),
    clock: { now: () => now, monotonic: () => now },
    keys
  })
const three = { name: 'three', points: 3, windowMs: 60_000 }

test('the limit of a window applies to concurrent calls, and the next window starts at zero', async () => {
  const first = limits()
  const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => first.consume(three, '192.0.2.1')))
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
  await expect(first.consume(three, '192.0.2.1')).rejects.toMatchObject({
    code: 'TOO_MANY_REQUESTS',
    message: expect.stringMatching(/after \d+ seconds?/)
  })
  await first.consume(three, '192.0.2.2')
  now += 60_000
  await first.consume(three, '192.0.2.1')
})

test('instances share their counters, and keys are not readable in them', async () => {
  await limits().count(three, 'sita@example.com')
  await limits().count(three, 'sita@example.com')
  await limits().check(three, 'sita@example.com')
  await limits().count(three, 'sita@example.com')
  await expect(limits().check(three, 'sita@example.com')).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' })
  expect(JSON.stringify(await connection.collection('rate_limits').find().toArray())).not.toContain('sita')
})

test('a limit of 0 means no limit', async () => {
  const none = { ...three, name: 'none', points: 0 }
  for (let times = 0; times < 10; times += 1) await limits().consume(none, 'x')
  await expect(limits().check(none, 'x')).resolves.toBeUndefined()
})
