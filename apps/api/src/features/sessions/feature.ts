import { accessTokenMinutes, refreshTokenDays } from '@batti/contracts'
import { dayMs, minuteMs } from '@batti/kit/durations'
import type { Audit } from '../../platform/audit.ts'
import { createFairShare } from '../../platform/http/limits/fair-share.ts'
import type { AccountRecord } from '../../platform/people/account-directory.ts'
import type { Platform } from '../../platform/platform.ts'
import { ensureIndexes } from '../../platform/store/ensure-indexes.ts'
import { createActorsService, type SessionAccount } from './actors.service.ts'
import { createAddressVisits } from './address-visits.ts'
import { createAccessTokens } from './access-token.ts'
import { createOwnOrigins } from '../../platform/http/addresses/own-origins.ts'
import { createRefreshCookie } from './refresh-cookie.ts'
import { createRefreshTokens } from './refresh-token.ts'
import { createSessionModel } from './session.model.ts'
import { createSessionsRepository } from './sessions.repository.ts'
import { sessionRoutes } from './sessions.routes.ts'
import { createSessionsService } from './sessions.service.ts'

interface SessionsDeps extends Pick<
  Platform,
  'config' | 'connection' | 'clock' | 'events' | 'log' | 'keys' | 'security' | 'publicUrl'
> {
  audit: Audit
  people: {
    find(userId: string): Promise<AccountRecord | null>
    findMany(userIds: readonly string[]): Promise<AccountRecord[]>
    notify(userId: string, kind: 'session-stolen', facts: { from: string }): Promise<void>
  }
}

/** Sessions: who is logged in where, and whom a token belongs to. */
export function createSessionsFeature(deps: SessionsDeps) {
  const { config, clock, events, log, keys, security, publicUrl, people } = deps
  const model = createSessionModel(deps.connection)
  const repository = createSessionsRepository(model)
  const visits = createAddressVisits(deps.connection)
  const accessTokens = createAccessTokens({
    secret: config.JWT_SECRET,
    previousSecret: config.JWT_SECRET_PREVIOUS,
    lifetimeMs: accessTokenMinutes * minuteMs
  })
  async function findAccount(userId: string): Promise<SessionAccount | null> {
    const account = await people.find(userId)
    return account?.deletingAt === null ? toSessionAccount(account) : null
  }
  const actors = createActorsService({
    sessions: repository,
    accessTokens,
    findAccount,
    findAccounts: async (userIds) =>
      (await people.findMany(userIds)).filter(({ deletingAt }) => deletingAt === null).map(toSessionAccount),
    // More than one page requests at once: if the database does not answer, none of its calls waits for the deadline of another.
    share: createFairShare(config.LIMIT_CALLS * 16),
    clock
  })
  const sessions = createSessionsService({
    sessions: repository,
    noteVisit: (ip, userId) => visits.note(ip, userId, clock.now()),
    accessTokens,
    refreshTokens: createRefreshTokens(keys),
    findAccount,
    notifyOfReuse: (userId, client) =>
      void people
        .notify(userId, 'session-stolen', { from: client.ip })
        .catch((error: unknown) => log.error({ err: error }, 'a notice failed')),
    lifetimeMs: refreshTokenDays * dayMs,
    clock,
    events,
    security
  })
  const cookie = createRefreshCookie({
    https: publicUrl.startsWith('https:'),
    isOwnOrigin: createOwnOrigins({ publicUrl, corsOrigins: config.CORS_ORIGINS })
  })

  return {
    routes: sessionRoutes({ sessions, cookie, audit: deps.audit }),
    sessions,
    cookie,
    /** The time by which tokens expire. */
    now: clock.now,
    ...actors,
    /** Returns the accounts seen at each address in the last 30 days. */
    usersAt: (ips: readonly string[]) => visits.usersAt(ips, clock.now()),
    /** Removes the visits of a deleted account. */
    forgetVisits: visits.forget,
    /** Returns accounts with an active session that was last used from that address. */
    usersLoggedInAt: (ip: string) => repository.userIdsAt(ip, clock.now()),
    indexes: () => ensureIndexes(model, visits.model)
  }
}

const toSessionAccount = ({ id, role, name, permissions }: AccountRecord): SessionAccount => ({
  userId: id,
  role,
  name,
  permissions
})
