import { createFakeClock } from '@batti/kit/testing'
import { expect, test } from 'vitest'
import { createFairShare } from '../../platform/http/fair-share.ts'
import { createAccessTokens } from './access-token.ts'
import type { Session, SessionsRepository } from './sessions.repository.ts'
import { createSessionsService, type SessionAccount } from './sessions.service.ts'

/** Looks up what the test provides, and records for whom. */
function makeService() {
  const clock = createFakeClock()
  const accessTokens = createAccessTokens({ secret: 'a secret of this test'.repeat(3), lifetimeMs: 60_000 })
  const lookedUp: string[] = []
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
  const find = async (id: string) => {
    lookedUp.push(id)
    await answered
    return { id, userId: id, expiresAt: Infinity }
  }
  const service = createSessionsService({
    clock,
    accessTokens,
    sessions: { find } as unknown as SessionsRepository,
    findAccount: (userId: string) => Promise.resolve({ userId, role: 'user', name: userId, permissions: [] }),
    share: createFairShare(2)
  } as unknown as Parameters<typeof createSessionsService>[0])
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
  const findMany = async (ids: readonly string[]): Promise<Session[]> => sessions.filter(({ id }) => ids.includes(id))
  const findAccounts = async (ids: readonly string[]): Promise<SessionAccount[]> =>
    accounts.filter(({ userId }) => ids.includes(userId))
  const there = { sessions: { findMany }, findAccounts, clock: { now: () => now } }
  return createSessionsService(there as unknown as Parameters<typeof createSessionsService>[0])
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
