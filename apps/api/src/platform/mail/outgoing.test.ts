import { systemClock } from '@batti/kit/clock'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createOutgoing } from './outgoing.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function outgoing(options: { withCheck?: boolean } = {}) {
  const provider = { isUp: true, sent: [] as string[], tries: 0, checks: 0 }
  const out = createOutgoing<string>({
    what: 'Email',
    send: async (message) => {
      provider.tries += 1
      if (!provider.isUp) throw new Error('down')
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

test('a message that the provider does not take is sent again, and arrives once it is back', async () => {
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

test('after ten minutes a message is given up: the code inside it is dead', async () => {
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

test('what has to arrive now says so when it does not', async () => {
  const { provider, out } = outgoing()
  provider.isUp = false
  await expect(out.sendNow('hello')).rejects.toMatchObject({ code: 'UNAVAILABLE', retryAfterS: 10 })
  expect(out.waiting()).toBe(0)
})

test('a provider is asked once for many calls, believed for a while, and asked again after a failure', async () => {
  const { provider, out } = outgoing()
  await Promise.all(Array.from({ length: 10 }, () => out.assertReady()))
  expect(provider.checks).toBe(1)
  provider.isUp = false
  await out.assertReady()
  await vi.advanceTimersByTimeAsync(30_000)
  await expect(out.assertReady()).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  provider.isUp = true
  await expect(out.assertReady()).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  await vi.advanceTimersByTimeAsync(10_000)
  await out.assertReady()
})

test('without a probe the last message tells, for a while', async () => {
  const { provider, out } = outgoing({ withCheck: false })
  provider.isUp = false
  await expect(out.sendNow('hello')).rejects.toThrow('cannot be sent')
  await expect(out.assertReady()).rejects.toThrow('cannot be sent')
  await vi.advanceTimersByTimeAsync(10_000)
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
