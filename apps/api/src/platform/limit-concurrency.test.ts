import { expect, test } from 'vitest'
import { limitConcurrency } from './limit-concurrency.ts'

test('beyond the length of the queue callers are told to retry', async () => {
  const run = limitConcurrency(1, 1)
  let finish: () => void = () => undefined
  const first = run(() => new Promise<void>((resolve) => (finish = resolve)))
  const second = run(() => Promise.resolve())
  await expect(run(() => Promise.resolve())).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  finish()
  await Promise.all([first, second])
  await run(() => Promise.resolve())
})
