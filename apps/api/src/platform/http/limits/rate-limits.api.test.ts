import type { Connection } from 'mongoose'
import { beforeAll, expect, test } from 'vitest'
import { connectTestDatabase } from '../../../testing/test-database.ts'
import { createServerKeys } from '../../store/server-keys.ts'
import { createRateLimitModel, createRateLimits } from './rate-limits.ts'

let connection: Connection
beforeAll(async () => {
  const database = await connectTestDatabase()
  connection = database.connection
  return database.close
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

/** The seconds that a refusal tells to wait. */
async function waitOf(key: string): Promise<number> {
  for (let times = 0; times < 3; times += 1) await limits().count(three, key)
  const refusal: unknown = await limits()
    .check(three, key)
    .catch((error: unknown) => error)
  return Number(/after (\d+) second/.exec(refusal instanceof Error ? refusal.message : '')?.[1])
}

test('a window ends when its refusals say, at another moment for each key, and its counter is removed then', async () => {
  now = Date.parse('2100-01-01T00:00:00Z')
  const waits: number[] = []
  for (const key of ['a', 'b', 'c', 'd', 'e']) {
    const wait = await waitOf(key)
    const newest = connection.collection<{ expiresAt: Date }>('rate_limits').find().sort({ $natural: -1 }).limit(1)
    const endsAt = (await newest.next())?.expiresAt.getTime() ?? 0
    expect(Math.ceil((endsAt - now) / 1000)).toBe(wait)
    const before = now
    now = endsAt - 1
    const tooMany = { message: 'Please try again after 1 second.' }
    await expect(limits().check(three, key)).rejects.toMatchObject(tooMany)
    await expect(limits().consume(three, key)).rejects.toMatchObject(tooMany)
    now = endsAt
    await limits().check(three, key)
    expect(await waitOf(key)).toBe(60)
    now = before
    waits.push(wait)
  }
  for (const wait of waits) {
    expect(wait).toBeGreaterThan(0)
    expect(wait).toBeLessThanOrEqual(60)
  }
  expect(new Set(waits).size).toBeGreaterThan(1)
  expect(connection.model('RateLimit').schema.indexes()).toContainEqual([
    { expiresAt: 1 },
    expect.objectContaining({ expireAfterSeconds: 0 })
  ])
})

test('an address counts with its network, any other key by itself, and each limit by itself', async () => {
  const [one, other] = ['2001:db8:1:2::1', '2001:db8:1:2::2']
  const single = { name: 'single', points: 1, windowMs: 60_000 }
  const byAddress = { ...single, name: 'by address', by: 'address' } as const
  await limits().consume(single, one)
  await limits().consume(single, other)
  await limits().consume(byAddress, one)
  await expect(limits().consume(byAddress, other)).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' })
  await limits().consume(byAddress, '2001:db8:1:3::1')
})
