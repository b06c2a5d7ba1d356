import { expect, test, vi } from 'vitest'
import { createDeletionService } from './deletion.service.ts'

/** The service with an account in memory, whose erasure fails in the database twice. */
function setUp() {
  const account = { id: 'sita', imageKey: null, deletingAt: null, loginEmail: 'sita@example.com' }
  const eraseHomeOf = vi.fn<(userId: string) => Promise<void>>().mockResolvedValue()
  eraseHomeOf.mockRejectedValueOnce(new Error('no database')).mockRejectedValueOnce(new Error('no database'))
  const logged: unknown[] = []
  const remove = vi.fn<(userId: string) => Promise<boolean>>().mockResolvedValue(true)
  const parts = {
    accounts: {
      findById: async () => account,
      update: async () => account,
      listBeingDeleted: async () => [account.id],
      findManyById: async () => [account],
      remove
    },
    admins: { refuseLast: async () => undefined, exclusively: (work: () => unknown) => work() },
    codes: { forgetAllOf: async () => undefined },
    endSessions: async () => undefined,
    eraseHomeOf,
    mail: { sendSoon: () => undefined },
    clock: { now: () => 0 },
    events: { emit: () => undefined },
    security: (...event: unknown[]) => void logged.push(event),
    retryMs: 0
  }
  const deletion = createDeletionService(parts as unknown as Parameters<typeof createDeletionService>[0])
  return { deletion, remove, logged }
}

test('a failed erasure of an account is retried until it succeeds', async () => {
  const { deletion, remove } = setUp()
  const erase = await deletion.begin('sita', { userId: 'sita', ip: '192.0.2.1', requestId: 'r' })
  await expect(erase()).rejects.toThrow('no database')
  await expect.poll(() => remove.mock.calls).toEqual([['sita']])
})

test('an erasure that a start finishes is in the security log, once', async () => {
  const { deletion, remove, logged } = setUp()
  for (const _ of ['the database fails', 'and again']) await expect(deletion.resume()).rejects.toThrow('no database')
  await deletion.resume()
  remove.mockResolvedValueOnce(false)
  await deletion.resume()
  expect(logged).toEqual([['account-deleted', { account: 'sita' }]])
})
