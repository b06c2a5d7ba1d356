import { refreshGraceMs, type Role, type SessionRecord } from '@batti/contracts'
import type { AuditSubject } from '../../platform/audit.ts'
import type { Actor } from '../../platform/people/actor.ts'
import type { Client } from '../../platform/people/client.ts'
import { notFound } from '../../platform/app-error.ts'
import type { Clock } from '@batti/kit/clock'
import type { EventBus } from '../../platform/events.ts'
import type { SecurityLog } from '../../platform/log/security-log.ts'
import type { AccessTokens } from './access-token.ts'
import { sessionExpired, type SessionAccount } from './actors.service.ts'
import type { RefreshToken, RefreshTokens } from './refresh-token.ts'
import { newSessionId, type Session, type SessionsRepository } from './sessions.repository.ts'

export interface TokenPair {
  sessionId: string
  accessToken: string
  refreshToken: string
  /** When the session finally ends, in milliseconds. */
  expiresAt: number
}

/** Starts, renews and ends sessions. */
export function createSessionsService(deps: {
  sessions: SessionsRepository
  accessTokens: AccessTokens
  refreshTokens: RefreshTokens
  findAccount(userId: string): Promise<SessionAccount | null>
  /** Records that an account was seen at an address. */
  noteVisit(ip: string, userId: string): Promise<void>
  /** Tells the owner that a stolen token was used. */
  notifyOfReuse(userId: string, client: Client): void
  lifetimeMs: number
  clock: Clock
  events: EventBus
  security: SecurityLog
}) {
  const { sessions, accessTokens, refreshTokens, clock, events, security } = deps

  /** Returns whether there was one to end. */
  const endSession = async ({ id, userId }: { id: string; userId: string }): Promise<boolean> => {
    const ended = await sessions.remove(id, userId)
    if (ended) events.emit('session-ended', { userId, sessionId: id })
    return ended
  }

  const pairOf = async (session: Session, token: RefreshToken): Promise<TokenPair> => {
    const account = await deps.findAccount(session.userId)
    if (account === null) throw sessionExpired()
    const claims = { userId: session.userId, sessionId: session.id, role: account.role }
    return {
      sessionId: session.id,
      accessToken: accessTokens.issue(claims, clock.now()),
      refreshToken: token.text,
      expiresAt: session.expiresAt
    }
  }

  /**
   * A recently rotated token is answered with its successor, however many tabs use it. One that was rotated at a time that is
   * still to come was rotated before the clock was set back.
   */
  const isInGrace = (session: Session, token: RefreshToken): boolean =>
    session.rotated.some(({ hash, at }) => hash === token.hash && Math.abs(clock.now() - at) <= refreshGraceMs)

  return {
    async start(account: { id: string; role: Role }, client: Client): Promise<TokenPair> {
      const now = clock.now()
      const id = newSessionId()
      const token = refreshTokens.first(id)
      const expiresAt = now + deps.lifetimeMs
      await sessions.insert({
        id,
        userId: account.id,
        tokenHash: token.hash,
        rotated: [],
        userAgent: client.userAgent,
        ip: client.ip,
        createdAt: now,
        lastUsedAt: now,
        expiresAt
      })
      await deps.noteVisit(client.ip, account.id)
      // Most recently used first: at the limit, a login ends the sessions that were unused the longest.
      for (const session of (await sessions.listOf(account.id)).slice(sessionsMax)) await endSession(session)
      const accessToken = accessTokens.issue({ userId: account.id, sessionId: id, role: account.role }, now)
      return { sessionId: id, accessToken, refreshToken: token.text, expiresAt }
    },

    /** @throws AppError UNAUTHENTICATED for a token that is unknown, expired or reused. */
    async refresh(text: string, client: Client): Promise<TokenPair> {
      const token = refreshTokens.read(text)
      if (token === null) throw sessionExpired()
      const successor = refreshTokens.successor(token)
      const now = clock.now()
      let session = await sessions.find(token.sessionId)
      if (session === null || session.expiresAt <= now) throw sessionExpired()
      if (session.tokenHash === token.hash) {
        const keepSince = now - refreshGraceMs
        const change = { from: token.hash, to: successor.hash, now, keepSince, ip: client.ip }
        if (await sessions.rotate(session.id, change)) {
          await deps.noteVisit(client.ip, session.userId)
          return pairOf(session, successor)
        }
        session = await sessions.find(token.sessionId)
        if (session === null) throw sessionExpired()
      }
      if (isInGrace(session, token)) return pairOf(session, successor)
      // The token is genuine but spent: somebody else has a copy, and it is unknown which of the two is the thief.
      await endSession(session)
      security('refresh-token-reused', { account: session.userId, ip: client.ip, requestId: client.requestId })
      deps.notifyOfReuse(session.userId, client)
      throw sessionExpired()
    },

    /** Ends the sessions of both tokens; never fails for an invalid token. */
    async logout(
      { refreshToken, bearer }: { refreshToken?: string | undefined; bearer?: string | undefined },
      client: Client
    ): Promise<void> {
      const token = refreshToken === undefined ? null : refreshTokens.read(refreshToken)
      const claims = bearer === undefined ? null : accessTokens.verify(bearer, clock.now(), { evenExpired: true })
      for (const sessionId of new Set([token?.sessionId, claims?.sessionId])) {
        const session = sessionId === undefined ? null : await sessions.find(sessionId)
        if (session === null || !(await endSession(session))) continue
        security('logout', { actor: session.userId, ip: client.ip, requestId: client.requestId })
      }
    },

    async list(actor: Pick<Actor, 'userId' | 'sessionId'>): Promise<SessionRecord[]> {
      const found = await sessions.listOf(actor.userId)
      const now = clock.now()
      return found
        .filter((session) => session.expiresAt > now)
        .map((session) => ({
          id: session.id,
          userAgent: session.userAgent,
          ip: session.ip,
          createdAt: new Date(session.createdAt).toISOString(),
          lastUsedAt: new Date(session.lastUsedAt).toISOString(),
          current: session.id === actor.sessionId
        }))
    },

    /** @throws AppError NOT_FOUND when the actor has no such session. */
    async end(actor: Actor, sessionId: string, client: Client): Promise<void> {
      const isId = /^[0-9a-f]{24}$/.test(sessionId)
      if (!isId || !(await endSession({ id: sessionId, userId: actor.userId }))) throw notFound('Session')
      security('session-ended', { actor: actor.userId, ip: client.ip, requestId: client.requestId })
    },

    /** Reads a session for the audit log: where it was logged in. */
    async auditSubject(id: string): Promise<AuditSubject | null> {
      const session = await sessions.find(id)
      if (session === null) return null
      const { userAgent, ip, createdAt } = session
      return { label: userAgent, fields: { userAgent, ip, createdAt: new Date(createdAt) } }
    },

    endOne: endSession,
    async endAllOf(userId: string): Promise<void> {
      for (const session of await sessions.listOf(userId)) await endSession(session)
    }
  }
}
export type SessionsService = ReturnType<typeof createSessionsService>

/** The most concurrent sessions of one account. */
const sessionsMax = 100
