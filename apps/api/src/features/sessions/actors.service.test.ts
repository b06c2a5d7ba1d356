import { createFakeClock } from '@batti/kit/testing'
import { expect, test } from 'vitest'
import { createFairShare } from '../../platform/http/limits/fair-share.ts'
import { createAccessTokens } from './access-token.ts'
import { createActorsService, type SessionAccount } from './actors.service.ts'
import type { Session } from './sessions.repository.ts'

/** Looks up what the test provides, and records for whom. */
function makeService() {
  const clock = createFakeClock()
  const accessTokens = createAccessTokens({ secret: 'a secret of this test'.repeat(3), lifetimeMs: 60_000 })
  const lookedUp: string[] = []
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
  const service = createActorsService({
    clock,
    accessTokens,
    sessions: {
      find: async (id) => {
        lookedUp.push(id)
        await answered
        return sessionOf(id, id, Infinity)
      },
      findMany: async () => []
    },
    findAccount: async (userId) => ({ userId, role: 'user', name: userId, permissions: [] }),
    findAccounts: async () => [],
    share: createFairShare(2)
  })
  const tokenOf = (id: string) => accessTokens.issue({ userId: id, sessionId: id, role: 'user' }, clock.now())
  return { service, tokenOf, lookedUp, answer }
}

test('many calls of one account are looked up a few at a time, so that others and screens need not wait', async () => {
  const { service, tokenOf, lookedUp, answer } = makeService()
  const [loud, other] = ['a'.repeat(24), 'b'.repeat(24)]
  const flood = Array.from({ length: 50 }, () => service.authenticate(tokenOf(loud)))
  const others = [service.authenticate(tokenOf(other)), service.authenticateSocket(tokenOf(loud))]
  await new Promise((resolve) => setImmediate(resolve))
  expect(lookedUp.toSorted()).toEqual([loud, loud, loud, other])
  answer()
  expect(await Promise.all(others)).toMatchObject([{ userId: other }, { userId: loud }])
  expect((await Promise.all(flood)).every((actor) => actor?.userId === loud)).toBe(true)
})

const now = 1_000_000
const sessionOf = (id: string, userId: string, expiresAt: number): Session => ({
  id,
  userId,
  tokenHash: '',
  rotated: [],
  userAgent: '',
  ip: '',
  createdAt: 0,
  lastUsedAt: 0,
  expiresAt
})

/** The service, with only what it reads of sessions and accounts. */
function serviceOf(sessions: readonly Session[], accounts: readonly SessionAccount[]) {
  return createActorsService({
    clock: { now: () => now },
    accessTokens: { verify: () => null },
    sessions: {
      find: async () => null,
      findMany: async (ids) => sessions.filter(({ id }) => ids.includes(id))
    },
    findAccount: async () => null,
    findAccounts: async (ids) => accounts.filter(({ userId }) => ids.includes(userId)),
    share: (_account, task) => task()
  })
}

test('open sockets stay if their session is valid and their account exists, with its current rights', async () => {
  const sita: SessionAccount = { userId: 'sita', role: 'user', name: 'Sita', permissions: [] }
  const service = serviceOf(
    [
      sessionOf('phone', 'sita', now + 1),
      sessionOf('tablet', 'sita', now + 1),
      sessionOf('old phone', 'sita', now),
      sessionOf('of nobody', 'ram', now + 1)
    ],
    [sita]
  )
  const actors = ['phone', 'tablet', 'old phone', 'ended'].map((sessionId) => ({ userId: 'sita', sessionId }))
  const stay = await service.whoStays([...actors, { userId: 'ram', sessionId: 'of nobody' }])
  expect(Object.fromEntries(stay)).toEqual({
    phone: { ...sita, sessionId: 'phone' },
    tablet: { ...sita, sessionId: 'tablet' }
  })
})
