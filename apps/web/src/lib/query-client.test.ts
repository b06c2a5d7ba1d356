import { MutationObserver, onlineManager, QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { ApiError } from './api/api-error.ts'
import { createQueryClient, isWorthRetrying } from './query-client.ts'

afterEach(() => onlineManager.setOnline(true))

const unreachable = new ApiError('NETWORK', 'The server cannot be reached.')

test('a write without a network fails at once and is not sent when the network returns', async () => {
  onlineManager.setOnline(false)
  const client = createQueryClient()
  client.mount()
  const send = vi.fn<() => Promise<never>>(() => Promise.reject(unreachable))
  await expect(new MutationObserver(client, { mutationFn: send }).mutate()).rejects.toBe(unreachable)
  onlineManager.setOnline(true)
  await client.resumePausedMutations()
  expect(send).toHaveBeenCalledOnce()
  client.unmount()
})

test('a read without a network fails, and is repeated when the network returns', async () => {
  onlineManager.setOnline(false)
  const client = createQueryClient()
  client.mount()
  const read = vi.fn<() => Promise<string>>(() => Promise.reject(unreachable))
  const observer = new QueryObserver(client, { queryKey: ['rooms'], queryFn: read, retry: false })
  const unsubscribe = observer.subscribe(() => {})
  await expect.poll(() => observer.getCurrentResult().isError).toBe(true)
  read.mockResolvedValue('rooms')
  onlineManager.setOnline(true)
  await expect.poll(() => observer.getCurrentResult().data).toBe('rooms')
  unsubscribe()
  client.unmount()
})

test('a refusal is not retried, a missing answer or a broken server twice, a time-out not at once', () => {
  expect(isWorthRetrying(0, new ApiError('FORBIDDEN', 'No.', { status: 403 }))).toBe(false)
  expect(isWorthRetrying(0, new ApiError('INTERNAL', 'Sorry.', { status: 500 }))).toBe(true)
  expect([0, 1, 2].map((failures) => isWorthRetrying(failures, unreachable))).toEqual([true, true, false])
  expect(isWorthRetrying(0, new ApiError('LATE', 'Not in time.'))).toBe(false)
})
