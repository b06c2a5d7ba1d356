import { expect, test, vi } from 'vitest'
import { createFairShare, longestWaitMs } from './fair-share.ts'

test('the concurrent calls of one account are limited; other accounts and strangers do not wait for them', async () => {
  const share = createFairShare(2)
  const { promise: freed, resolve: free } = Promise.withResolvers<void>()
  const begun: string[] = []
  const call = (who: string | undefined, name: string) =>
    share(who, async () => {
      begun.push(name)
      await freed
    })
  const calls = ['a1', 'a2', 'a3', 'a4'].map((name) => call('a', name))
  calls.push(call('b', 'b1'), call(undefined, 'stranger'))
  await new Promise((resolve) => setImmediate(resolve))
  expect(begun.toSorted()).toEqual(['a1', 'a2', 'b1', 'stranger'])
  free()
  await Promise.all(calls)
  expect(begun.slice(4)).toEqual(['a3', 'a4'])
})

test('beyond two hundred waiting calls, further ones are refused with a retry hint', async () => {
  const share = createFairShare(1)
  const { promise: freed, resolve: free } = Promise.withResolvers<void>()
  const calls = Array.from({ length: 201 }, () => share('a', () => freed))
  await expect(share('a', () => freed)).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' })
  free()
  await Promise.all(calls)
  expect(await share('a', () => Promise.resolve('again'))).toBe('again')
})

test('a call that has waited for too long is refused with a retry hint, is never begun, and takes no turn of others', async () => {
  const timers = new Map<() => void, number>()
  const share = createFairShare(1, {
    after(delayMs, run) {
      timers.set(run, delayMs)
      return () => timers.delete(run)
    }
  })
  const { promise: freed, resolve: free } = Promise.withResolvers<string>()
  const first = share('a', () => freed)
  expect(timers.size).toBe(0)
  const begun = vi.fn<() => Promise<string>>(async () => 'begun')
  const late = share('a', begun)
  const [[timeIsUp, delayMs] = []] = timers
  expect(delayMs).toBe(longestWaitMs)
  const next = share('a', async () => 'next')
  timeIsUp?.()
  await expect(late).rejects.toMatchObject({ code: 'UNAVAILABLE', retryAfterS: 5 })
  free('first')
  expect(await Promise.all([first, next])).toEqual(['first', 'next'])
  expect(begun).not.toHaveBeenCalled()
  expect(timers.size).toBe(0)
})
