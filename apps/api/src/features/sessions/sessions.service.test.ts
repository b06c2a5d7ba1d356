import { createFakeClock } from '@batti/kit/testing'
import { expect, test } from 'vitest'
import { createFairShare } from '../../platform/http/fair-share.ts'
import { createAccessTokens } from './access-token.ts'
import type { SessionsRepository } from './sessions.repository.ts'
import { createSessionsService } from './sessions.service.ts'

/** Looks up what the test lets it find, and says for whom it is looking. */
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

test('a flood of calls of one account is looked up a few at a time, so that others and screens are not behind it', async () => {
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
