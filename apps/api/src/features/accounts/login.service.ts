import { addressGroup } from '@batti/kit/address'
import { AppError, unauthenticated } from '../../platform/app-error.ts'
import type { Clock } from '@batti/kit/clock'
import type { Limit, RateLimits } from '../../platform/http/limits/rate-limits.ts'
import type { AccountRecord } from '../../platform/people/account-directory.ts'
import type { SecurityLog } from '../../platform/log/security-log.ts'
import type { AccountsRepository } from './accounts.repository.ts'
import { emailKeyOf } from './email-key.ts'
import type { AccountLimits } from './limits.ts'
import type { Passwords } from './password/password.ts'
import { toE164 } from './phone.ts'
import type { Client } from '../../platform/people/client.ts'

/** Exactly one of the two is set. */
export interface Identifier {
  email?: string | undefined
  phone?: string | undefined
}

export interface StartedSession {
  sessionId: string
  accessToken: string
  refreshToken: string
  /** When the session finally ends, in milliseconds. */
  expiresAt: number
}

/** Returns the canonical form of an identifier, for limits and codes: the same before and after an account exists. */
export function identifierKey({ email, phone }: Identifier): string {
  if (email !== undefined) return `email:${emailKeyOf(email) ?? email.trim().toLowerCase()}`
  return `phone:${toE164(phone ?? '') ?? phone ?? ''}`
}

export function createLoginService(deps: {
  accounts: AccountsRepository
  startSession(account: AccountRecord, client: Client): Promise<StartedSession>
  endSession(session: { id: string; userId: string }): Promise<unknown>
  passwords: Passwords
  limits: RateLimits
  limit: AccountLimits
  clock: Clock
  security: SecurityLog
}) {
  const { accounts, passwords, limits, limit, clock, security } = deps

  /** Returns the account that an e-mail or a phone number logs in; null if there is none. */
  const find = ({ email, phone }: Identifier): Promise<AccountRecord | null> => {
    const emailKey = email === undefined ? null : emailKeyOf(email)
    if (emailKey !== null) return accounts.findByLoginEmail(emailKey)
    const number = phone === undefined ? null : toE164(phone)
    return number === null ? Promise.resolve(null) : accounts.findByLoginPhone(number)
  }

  /**
   * Whether the compared password is still the account's. A change of password ends all existing sessions, but a session
   * started meanwhile would survive it. So the session is created first, and then this check runs.
   */
  const isStillRight = async (id: string, compared: string | null, password: string): Promise<boolean> => {
    const account = await accounts.findById(id)
    if (account === null || account.deletingAt !== null) return false
    return account.passwordHash === compared || passwords.matches(password, account.passwordHash)
  }

  return {
    find,
    /**
     * Starts a session.
     * @throws AppError UNAUTHENTICATED, the same for an unknown account and a wrong password; TOO_MANY_REQUESTS.
     */
    async login(
      identifier: Identifier,
      password: string,
      client: Client
    ): Promise<{ account: AccountRecord; session: StartedSession }> {
      const key = identifierKey(identifier)
      const account = await find(identifier)
      // Failures elsewhere, and of neighbours who share the address, never lock the owner out of addresses that they have
      // logged in from before (ASVS 6.1.1).
      const place = addressGroup(client.ip)
      const isKnownPlace = account?.knownIps.map(addressGroup).includes(place) === true
      const ownLimit = isKnownPlace ? limit.loginsPerKnownPlace : limit.loginsPerAccount
      const ownKey = isKnownPlace ? `${account.id} at ${place}` : key
      const check = async (one: Limit, of: string) => {
        try {
          await limits.check(one, of)
        } catch (error) {
          if (error instanceof AppError) security('login-limited', { ip: client.ip, requestId: client.requestId })
          throw error
        }
      }
      const before = async () => {
        if (!isKnownPlace) await check(limit.loginsPerIp, client.ip)
        await check(ownLimit, ownKey)
      }
      const failed = async () => {
        await limits.count(ownLimit, ownKey)
        // Where strangers are refused, a wrong password is too: the answer does not tell who has logged in there.
        await check(limit.loginsPerIp, client.ip)
        await limits.count(limit.loginsPerIp, client.ip)
      }
      await before()
      const isRight = await passwords.matches(password, account?.passwordHash ?? null, {
        before,
        failed,
        turn: { ip: client.ip, knownAccount: isKnownPlace ? account.id : undefined }
      })
      const facts = { ip: client.ip, requestId: client.requestId }
      if (account === null || !isRight) {
        security('login-failed', { account: account?.id, ...facts })
        throw wrongLogin()
      }
      const { id, passwordHash } = account
      if (passwordHash !== null && passwords.isOutdated(passwordHash)) {
        const change = { from: passwordHash, to: await passwords.hash(password) }
        await accounts.replacePassword(id, change, clock.now())
      }
      const session = await deps.startSession(account, client)
      if (!(await isStillRight(id, passwordHash, password))) {
        await deps.endSession({ id: session.sessionId, userId: id })
        security('login-failed', { account: id, ...facts })
        throw wrongLogin()
      }
      if (!isKnownPlace) await accounts.rememberIp(id, client.ip)
      security('login', { actor: id, ...facts })
      return { account, session }
    }
  }
}
export type LoginService = ReturnType<typeof createLoginService>

const wrongLogin = () => unauthenticated('Wrong email, phone number or password.')
