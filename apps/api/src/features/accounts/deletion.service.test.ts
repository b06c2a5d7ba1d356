import { expect, test, vi } from 'vitest'
import { createDeletionService } from './deletion.service.ts'

test('a failed erasure of an account is retried until it succeeds', async () => {
  const account = { id: 'sita', imageKey: null, deletingAt: null, loginEmail: 'sita@example.com' }
  const eraseHomeOf = vi.fn<(userId: string) => Promise<void>>().mockResolvedValue()
  eraseHomeOf.mockRejectedValueOnce(new Error('no database')).mockRejectedValueOnce(new Error('no database'))
  const remove = vi.fn<(userId: string) => Promise<boolean>>().mockResolvedValue(true)
  const parts = {
    accounts: { findById: async () => account, update: async () => account, remove },
    admins: { refuseLast: async () => undefined, exclusively: (work: () => unknown) => work() },
    codes: { forgetAllOf: async () => undefined },
    endSessions: async () => undefined,
    eraseHomeOf,
    mail: { sendSoon: () => undefined },
    clock: { now: () => 0 },
    events: { emit: () => undefined },
    security: () => undefined,
    retryMs: 0
  }
  const deletion = createDeletionService(parts as unknown as Parameters<typeof createDeletionService>[0])
  const erase = await deletion.begin('sita', { userId: 'sita', ip: '192.0.2.1', requestId: 'r' })
  await expect(erase()).rejects.toThrow('no database')
  await expect.poll(() => remove.mock.calls).toEqual([['sita']])
})
