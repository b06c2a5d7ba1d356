import { minuteMs } from '@batti/kit/durations'
import { readClaims } from './access-token.ts'
import { parseStoredUser, userFromClaims, type SessionUser } from './session-user.ts'

/**
 * The session as pure data. `expiresAtMs` is on this machine's clock. `over`: the session has ended, but the person's
 * unsaved input is still on the page, for nobody else.
 */
export type Session =
  | { kind: 'out' }
  | { kind: 'over'; user: SessionUser }
  | {
      kind: 'in'
      accessToken: string
      refreshToken: string | null
      user: SessionUser
      expiresAtMs: number
      lifeMs: number
    }
export type SignedIn = Extract<Session, { kind: 'in' }>

export interface StoredSession {
  accessToken: string | null
  refreshToken: string | null
  userInfo: string | null
}
export interface TokenPair {
  accessToken: string
  refreshToken: string
}

export const signedOut: Session = { kind: 'out' }

/** Time before expiry at which a token is renewed; one with a life below twice that, at half of its life. */
const renewBeforeMs = minuteMs
/** A token is sent only if it is valid for at least this long, so that it does not expire on the way. */
const expiryMarginMs = 2_000

/**
 * Restores the stored session: with the stored user, else the one of the token's claims; signed out when the access
 * token is not a JWT. An expired token is kept, as it may still be renewed.
 */
export function restoreSession(stored: StoredSession): Session {
  if (stored.accessToken === null) return signedOut
  const claims = readClaims(stored.accessToken)
  if (claims === null) return signedOut
  return {
    kind: 'in',
    accessToken: stored.accessToken,
    refreshToken: stored.refreshToken,
    user: parseStoredUser(stored.userInfo) ?? userFromClaims(claims),
    expiresAtMs: claims.exp * 1000,
    lifeMs: claims.iat === null ? 15 * minuteMs : (claims.exp - claims.iat) * 1000
  }
}

/**
 * Starts a session with new tokens. The expiry is counted from `nowMs` by the token's lifetime, so that a phone whose
 * clock is wrong by an hour is not signed out.
 */
export function startSession(tokens: TokenPair, user: SessionUser, nowMs: number): Session {
  const claims = readClaims(tokens.accessToken)
  if (claims === null) return signedOut
  const lifeMs = claims.iat === null ? claims.exp * 1000 - nowMs : (claims.exp - claims.iat) * 1000
  return { kind: 'in', ...tokens, user, expiresAtMs: nowMs + lifeMs, lifeMs }
}

/** Returns the milliseconds until the token should be renewed in the background; 0 when that is due. */
export function renewalDelayMs(session: SignedIn, nowMs: number): number {
  const lead = Math.min(renewBeforeMs, session.lifeMs / 2)
  return Math.max(0, session.expiresAtMs - lead - nowMs)
}

export function isUsable(session: SignedIn, nowMs: number): boolean {
  return session.expiresAtMs - expiryMarginMs > nowMs
}

/** Refusals that say nothing about the session: a blocked address, a timeout, the rate limit. */
const passing: readonly number[] = [403, 408, 429]

const retryMs = 20_000
/**
 * Short waits after a lost answer, as the server may have used up the token. It returns the same successor again for
 * `refreshGraceMs`; a later use counts as theft of the token.
 */
const retryLostMs = [500, 2000, 5000]

/**
 * Judges a failed renewal: the server refused the token, so the session is over; or it is retried. `lost`: how many
 * answers in a row were lost before this one.
 */
export function renewalVerdict(status: number, lost: number): 'over' | { retryMs: number } {
  if (status >= 400 && status < 500 && !passing.includes(status)) return 'over'
  return { retryMs: (status === 0 ? retryLostMs[lost] : undefined) ?? retryMs }
}
