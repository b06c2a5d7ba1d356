import { getEventListeners } from 'node:events'
import { expect, test } from 'vitest'
import { createSemaphore } from './semaphore.ts'

test('no more than the limit run at once, and all get their turn in order', async () => {
  const { run } = createSemaphore(3)
  let running = 0
  let most = 0
  const started: number[] = []
  const runAll = () =>
    Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        run(async () => {
          started.push(index)
          running += 1
          most = Math.max(most, running)
          await new Promise((resolve) => setImmediate(resolve))
          running -= 1
          return index
        })
      )
    )
  const results = await runAll()
  expect(results).toEqual(Array.from({ length: 20 }, (_, index) => index))
  expect(started).toEqual(results)
  await runAll()
  expect(most).toBe(3)
})

test('a task that fails frees its place', async () => {
  const { run } = createSemaphore(1)
  const failed = run(() => Promise.reject(new Error('no')))
  const next = run(() => Promise.resolve('yes'))
  await expect(failed).rejects.toThrow('no')
  expect(await next).toBe('yes')
})

test('tasks beyond the length of the queue are refused', async () => {
  const { run } = createSemaphore(1, { waitingMax: 1, refusal: () => new Error('come back later') })
  const first = Promise.withResolvers<void>()
  const running = run(() => first.promise)
  const waiting = run(() => Promise.resolve())
  await expect(run(() => Promise.resolve())).rejects.toThrow('come back later')
  first.resolve()
  await Promise.all([running, waiting])
  await run(() => Promise.resolve())
})

test('a cancelled wait takes no place, no wait leaves a listener behind, and a release counts once', async () => {
  const semaphore = createSemaphore(1)
  const leave = await semaphore.enter()
  const [cut, uncut] = [new AbortController(), new AbortController()]
  const givenUp = semaphore.enter(cut.signal)
  const next = semaphore.enter(uncut.signal)
  cut.abort()
  await expect(givenUp).rejects.toThrow('Too many wait')
  await expect(semaphore.enter(cut.signal)).rejects.toThrow('Too many wait')
  leave()
  leave()
  const leaveNext = await next
  for (const { signal } of [cut, uncut]) expect(getEventListeners(signal, 'abort')).toEqual([])
  let isIn = false
  const third = semaphore.enter().then((out) => {
    isIn = true
    return out
  })
  await Promise.resolve()
  expect(isIn).toBe(false)
  leaveNext()
  await third
})
