import { readClaims } from './access-token.ts'
import { parseStoredUser, userFromClaims, type SessionUser } from './session-user.ts'

/**
 * Who is signed in, as pure data. `expiresAtMs` is on this machine's clock. `over`: the session has ended as any other, and
 * what the person typed is still on the page, for nobody else.
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

/** Renewed this long before its end; a token that lives shorter than twice as long, at half of its life. */
const renewBeforeMs = 60_000
/** Sent to the server only while it lives at least this long, so that it does not run out on the way. */
const expiryMarginMs = 2_000

/**
 * The session that the browser kept: user and token as stored; the user from the token's claims when only
 * a token is there; nobody when the token is not a token. One that has run out is kept: it may yet be renewed.
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
    lifeMs: claims.iat === null ? 15 * 60_000 : (claims.exp - claims.iat) * 1000
  }
}

/**
 * A session with tokens that the server gave just now. Its end is counted from `nowMs` by the token's own life, so that
 * a phone whose clock is wrong by an hour is not thrown out.
 */
export function startSession(tokens: TokenPair, user: SessionUser, nowMs: number): Session {
  const claims = readClaims(tokens.accessToken)
  if (claims === null) return signedOut
  const lifeMs = claims.iat === null ? claims.exp * 1000 - nowMs : (claims.exp - claims.iat) * 1000
  return { kind: 'in', ...tokens, user, expiresAtMs: nowMs + lifeMs, lifeMs }
}

/** Milliseconds until the token should be renewed in the background; 0 when that is due. */
export function renewalDelayMs(session: SignedIn, nowMs: number): number {
  const lead = Math.min(renewBeforeMs, session.lifeMs / 2)
  return Math.max(0, session.expiresAtMs - lead - nowMs)
}

export function isUsable(session: SignedIn, nowMs: number): boolean {
  return session.expiresAtMs - expiryMarginMs > nowMs
}

/** Of a refusal that is not about the session: too late, a blocked address, too often. */
const passing: readonly number[] = [403, 408, 429]

/** What a failed renewal means: the server said no, so the session is over; or no answer came, so it is tried again. */
export function renewalVerdict(status: number): 'over' | 'try-again' {
  return status >= 400 && status < 500 && !passing.includes(status) ? 'over' : 'try-again'
}
