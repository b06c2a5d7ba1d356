import { expect, test, vi } from 'vitest'
import { createTabLock } from './tab-lock.ts'

/** A browser that blocks cookies has locks, and refuses each request. */
const refusing = {
  request: () => Promise.reject(new DOMException('The request was denied.', 'SecurityError'))
} as unknown as LockManager

test.each([
  ['has no locks', undefined],
  ['refuses them', refusing]
])('the task runs once where the browser %s', async (_, locks) => {
  const task = vi.fn<() => Promise<void>>(() => Promise.resolve())
  await createTabLock(locks, 'session')(task)
  expect(task).toHaveBeenCalledOnce()
})

test('a task that fails with the lock is not run again', async () => {
  const granting = { request: (_: string, task: () => Promise<void>) => task() } as unknown as LockManager
  const task = vi.fn<() => Promise<void>>(() => Promise.reject(new Error('no network')))
  await expect(createTabLock(granting, 'session')(task)).rejects.toThrow('no network')
  expect(task).toHaveBeenCalledOnce()
})
