import { expect, test } from 'vitest'
import { limitConcurrency } from './limit-concurrency.ts'

test('never more than the limit run, all get their turn, in the order in which they came', async () => {
  const run = limitConcurrency(3)
  let running = 0
  let most = 0
  const started: number[] = []
  const results = await Promise.all(
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
  expect(most).toBe(3)
  expect(results).toEqual(Array.from({ length: 20 }, (_, index) => index))
  expect(started).toEqual(results)
})

test('a task that fails gives its place on', async () => {
  const run = limitConcurrency(1)
  const failed = run(() => Promise.reject(new Error('no')))
  const next = run(() => Promise.resolve('yes'))
  await expect(failed).rejects.toThrow('no')
  expect(await next).toBe('yes')
})

test('beyond the queue’s end people are told to come back', async () => {
  const run = limitConcurrency(1, 1)
  let finish: () => void = () => undefined
  const first = run(() => new Promise<void>((resolve) => (finish = resolve)))
  const second = run(() => Promise.resolve())
  await expect(run(() => Promise.resolve())).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  finish()
  await Promise.all([first, second])
  await run(() => Promise.resolve())
})
