import type { Clock } from '@batti/kit/clock'
import { unauthenticated } from '../../platform/app-error.ts'
import type { FairShare } from '../../platform/http/limits/fair-share.ts'
import type { Actor } from '../../platform/people/actor.ts'
import type { AccessClaims, AccessTokens } from './access-token.ts'
import type { SessionsRepository } from './sessions.repository.ts'

/** What a session needs to know of its account. */
export type SessionAccount = Pick<Actor, 'userId' | 'role' | 'name' | 'permissions'>

/** Finds out who is behind a token or a session, with current account data. */
export function createActorsService(deps: {
  sessions: Pick<SessionsRepository, 'find' | 'findMany'>
  accessTokens: Pick<AccessTokens, 'verify'>
  findAccount(userId: string): Promise<SessionAccount | null>
  findAccounts(userIds: readonly string[]): Promise<SessionAccount[]>
  /** Limits the concurrent lookups of one account. */
  share: FairShare
  clock: Pick<Clock, 'now'>
}) {
  const { sessions, accessTokens, clock } = deps

  async function whoIs({ sessionId, userId }: AccessClaims): Promise<Actor | null> {
    const [session, account] = await Promise.all([sessions.find(sessionId), deps.findAccount(userId)])
    if (session === null || account === null || session.userId !== account.userId) return null
    if (session.expiresAt <= clock.now()) return null
    return { ...account, sessionId: session.id }
  }

  return {
    /**
     * Returns the current actor of a bearer token; null for an invalid one. Limits how many calls of one account are looked up
     * at a time, so that thousands of them do not delay those of other accounts.
     */
    async authenticate(bearer: string | undefined): Promise<Actor | null> {
      const claims = bearer === undefined ? null : accessTokens.verify(bearer, clock.now())
      return claims === null ? null : deps.share(claims.userId, () => whoIs(claims))
    },

    /**
     * The same for a socket handshake. The number of sockets of an account is limited elsewhere.
     * @throws AppError UNAUTHENTICATED.
     */
    async authenticateSocket(token: string): Promise<Actor> {
      const claims = accessTokens.verify(token, clock.now())
      const actor = claims === null ? null : await whoIs(claims)
      if (actor === null) throw sessionExpired()
      return actor
    },

    /** Returns the actors with an active session, with current account data, by session id. Their tokens were verified before. */
    async whoStays(actors: readonly Pick<Actor, 'userId' | 'sessionId'>[]): Promise<Map<string, Actor>> {
      const [open, accounts] = await Promise.all([
        sessions.findMany(actors.map(({ sessionId }) => sessionId)),
        deps.findAccounts([...new Set(actors.map(({ userId }) => userId))])
      ])
      const byId = new Map(accounts.map((account) => [account.userId, account]))
      return new Map(
        open.flatMap(({ id, userId, expiresAt }) => {
          const account = expiresAt > clock.now() ? byId.get(userId) : undefined
          return account === undefined ? [] : [[id, { ...account, sessionId: id }] as const]
        })
      )
    }
  }
}

export const sessionExpired = () => unauthenticated('Your session has expired. Please log in again.')
