import { systemClock } from '@batti/kit/clock'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createOutgoing } from './outgoing.ts'
import { ReceiverRefused } from './receiver-refused.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function outgoing(options: { withCheck?: boolean } = {}) {
  const provider = { isUp: true, refused: '', sent: [] as string[], tries: 0, triedAt: [] as number[], checks: 0 }
  const out = createOutgoing<string>({
    what: 'Email',
    send: async (message) => {
      provider.tries += 1
      provider.triedAt.push(Math.round(performance.now()))
      if (!provider.isUp) throw new Error('down')
      if (message === provider.refused) throw new ReceiverRefused('no such address')
      provider.sent.push(message)
    },
    ...(options.withCheck === false
      ? {}
      : {
          check: async () => {
            provider.checks += 1
            if (!provider.isUp) throw new Error('down')
          }
        }),
    clock: systemClock,
    log: pino({ level: 'silent' })
  })
  return { provider, out }
}

test('a message that the provider refuses is sent again, and delivered once it is back', async () => {
  const { provider, out } = outgoing()
  provider.isUp = false
  out.sendSoon(() => 'hello')
  await vi.advanceTimersByTimeAsync(20_000)
  expect(provider.tries).toBeGreaterThanOrEqual(3)
  expect(out.waiting()).toBe(1)
  provider.isUp = true
  await vi.advanceTimersByTimeAsync(60_000)
  expect(provider.sent).toEqual(['hello'])
  expect(out.waiting()).toBe(0)
})

test('after ten minutes a message is dropped, because its code has expired', async () => {
  const { provider, out } = outgoing()
  provider.isUp = false
  out.sendSoon(() => 'hello')
  await vi.advanceTimersByTimeAsync(10 * 60_000)
  expect(out.waiting()).toBe(0)
  const { tries } = provider
  provider.isUp = true
  await vi.advanceTimersByTimeAsync(60 * 60_000)
  expect(provider.tries).toBe(tries)
  expect(provider.sent).toEqual([])
})

test('the intervals between tries grow, up to the ten minutes', async () => {
  const { provider, out } = outgoing()
  provider.isUp = false
  out.sendSoon(() => 'hello')
  await vi.advanceTimersByTimeAsync(11 * 60_000)
  const { triedAt } = provider
  const waits = triedAt.slice(1).map((at, index) => at - (triedAt[index] ?? 0))
  expect(waits.length).toBeGreaterThan(5)
  expect(waits).toEqual(waits.toSorted((a, b) => a - b))
  expect(waits[0]).toBeLessThanOrEqual(5000)
  expect(waits.at(-1)).toBeGreaterThan(60_000)
  const over = (triedAt.at(-1) ?? 0) - (triedAt[0] ?? 0)
  expect(over).toBeGreaterThan(5 * 60_000)
  expect(over).toBeLessThanOrEqual(10 * 60_000)
})

test('the number of waiting messages is limited to a thousand', async () => {
  const { provider, out } = outgoing()
  provider.isUp = false
  for (let n = 0; n < 1100; n += 1) out.sendSoon(() => `hello ${n}`)
  await vi.advanceTimersByTimeAsync(100)
  expect(out.waiting()).toBe(1000)
  provider.isUp = true
  await vi.advanceTimersByTimeAsync(10_000)
  expect(provider.sent).toHaveLength(1000)
})

test('a message that cannot be written is not sent', async () => {
  const { provider, out } = outgoing()
  out.sendSoon(() => {
    throw new Error('no such text')
  })
  await vi.advanceTimersByTimeAsync(60_000)
  expect(provider.tries).toBe(0)
})

test('a message that must be sent now reports its failure', async () => {
  const { provider, out } = outgoing()
  provider.isUp = false
  await expect(out.sendNow('hello')).rejects.toMatchObject({ code: 'UNAVAILABLE', retryAfterS: 10 })
  expect(out.waiting()).toBe(0)
})

test('a provider is asked once for many calls, trusted for a while, and asked again after a failure', async () => {
  const { provider, out } = outgoing()
  await Promise.all(Array.from({ length: 10 }, () => out.assertReady()))
  expect(provider.checks).toBe(1)
  provider.isUp = false
  await vi.advanceTimersByTimeAsync(29_000)
  await out.assertReady()
  await vi.advanceTimersByTimeAsync(1000)
  await expect(out.assertReady()).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  provider.isUp = true
  await expect(out.assertReady()).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  await vi.advanceTimersByTimeAsync(10_000)
  await out.assertReady()
})

test('without a probe the last message decides, for a while', async () => {
  const { provider, out } = outgoing({ withCheck: false })
  provider.isUp = false
  await expect(out.sendNow('hello')).rejects.toThrow('cannot be sent')
  await vi.advanceTimersByTimeAsync(9000)
  await expect(out.assertReady()).rejects.toThrow('cannot be sent')
  await vi.advanceTimersByTimeAsync(1000)
  await out.assertReady()
})

test.each(['at once', 'in the background'])(
  'a message that is sent %s shows that the provider is back',
  async (how) => {
    const { provider, out } = outgoing()
    provider.isUp = false
    await expect(out.assertReady()).rejects.toThrow('cannot be sent')
    provider.isUp = true
    if (how === 'at once') await out.sendNow('hello')
    else out.sendSoon(() => 'hello')
    await vi.advanceTimersByTimeAsync(1)
    await out.assertReady()
    expect(provider.checks).toBe(1)
  }
)

test('a background message that fails shows that the provider is down', async () => {
  const { provider, out } = outgoing()
  provider.isUp = false
  out.sendSoon(() => 'hello')
  await vi.advanceTimersByTimeAsync(1)
  await expect(out.assertReady()).rejects.toThrow('cannot be sent')
  expect(provider.checks).toBe(0)
})

test('a receiver that the provider refuses is tried again, and keeps nobody else from sending', async () => {
  const { provider, out } = outgoing()
  provider.refused = 'nobody@example.invalid'
  out.sendSoon(() => 'nobody@example.invalid')
  await expect(out.sendNow('nobody@example.invalid')).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  await vi.advanceTimersByTimeAsync(1)
  await out.assertReady()
  await vi.advanceTimersByTimeAsync(2000)
  expect(provider.tries).toBe(3)
  await out.assertReady()
})

test('a stop leaves no timer behind', async () => {
  const { provider, out } = outgoing()
  provider.isUp = false
  out.sendSoon(() => 'hello')
  await vi.advanceTimersByTimeAsync(10)
  out.stop()
  expect(vi.getTimerCount()).toBe(0)
})

test('a message that is being sent at a stop is not tried again', async () => {
  const answer = Promise.withResolvers<void>()
  const log = pino({ level: 'silent' })
  const out = createOutgoing<string>({ what: 'Email', send: () => answer.promise, clock: systemClock, log })
  out.sendSoon(() => 'hello')
  await vi.advanceTimersByTimeAsync(10)
  out.stop()
  answer.reject(new Error('down'))
  await vi.advanceTimersByTimeAsync(0)
  expect(out.waiting()).toBe(0)
  expect(vi.getTimerCount()).toBe(0)
})
