import { constantTimeEqual } from '@batti/kit/node/constant-time-equal'
import { createHash, randomBytes } from 'node:crypto'
import type { ServerKeys } from '../../platform/store/server-keys.ts'

/** A parsed refresh token of ours; only the session knows whether it is still valid. */
export interface RefreshToken {
  text: string
  sessionId: string
  hash: string
}

export interface RefreshTokens {
  first(sessionId: string): RefreshToken
  /** Returns the only successor of a token. It is derived, so that a second tab gets the same one without storing it. */
  successor(token: RefreshToken): RefreshToken
  /** Returns null for a token that is not ours: garbage costs no query and ends no session. */
  read(text: string): RefreshToken | null
}

const secretBytes = 32

/** Opaque text `<session id>.<secret>.<mac>`. Only its SHA-256 is stored; the secret has 256 bits, so no slow hash is needed. */
export function createRefreshTokens(keys: ServerKeys): RefreshTokens {
  const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url')
  const make = (sessionId: string, secret: string): RefreshToken => {
    const mac = keys.digest('refresh-tokens', `mac:${sessionId}.${secret}`).toString('base64url')
    const text = `${sessionId}.${secret}.${mac}`
    return { text, sessionId, hash: hashOf(text) }
  }
  return {
    first: (sessionId) => make(sessionId, randomBytes(secretBytes).toString('base64url')),
    successor: (token) =>
      make(token.sessionId, keys.digest('refresh-tokens', `next:${token.text}`).toString('base64url')),
    read(text) {
      const [sessionId = '', secret = '', mac = '', ...rest] = text.split('.')
      if (rest.length > 0 || !/^[0-9a-f]{24}$/.test(sessionId) || text.length > 256) return null
      const given = Buffer.from(mac, 'base64url')
      const isOurs = keys
        .digests('refresh-tokens', `mac:${sessionId}.${secret}`)
        .some((expected) => constantTimeEqual(given, expected))
      return isOurs ? { text, sessionId, hash: hashOf(text) } : null
    }
  }
}
