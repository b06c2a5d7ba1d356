import { createHash, createSecretKey, type KeyObject } from 'node:crypto'
import { roles, type Role } from '@batti/contracts'
import jwt from 'jsonwebtoken'
import { z } from 'zod'

const issuer = 'batti'
const audience = 'batti-api'

/** Every claim is required: jsonwebtoken alone would accept a token without expiry. */
const claims = z.object({
  sub: z.string().regex(/^[0-9a-f]{24}$/),
  sid: z.string().regex(/^[0-9a-f]{24}$/),
  role: z.enum(roles),
  typ: z.literal('access'),
  iss: z.literal(issuer),
  aud: z.literal(audience),
  iat: z.int(),
  exp: z.int()
})

export interface AccessClaims {
  userId: string
  sessionId: string
}

export interface AccessTokens {
  /** Returns a JWT; `exp` is in seconds, as the specified client expects. */
  issue(claims: AccessClaims & { role: Role }, now: number): string
  /** Returns the claims of a valid token of ours; null for anything else. `evenExpired` is for logging out. */
  verify(token: string, now: number, options?: { evenExpired?: boolean }): AccessClaims | null
}

interface SigningKey {
  id: string
  key: KeyObject
}

/** HS256 only, whatever a token's header says. Keys are created once: a string secret costs more than three times as much. */
export function createAccessTokens(options: {
  secret: string
  /** Still verifies the tokens that it signed, until they expire. */
  previousSecret?: string | undefined
  lifetimeMs: number
}): AccessTokens {
  const current = signingKey(options.secret)
  const previous = options.previousSecret === undefined ? [] : [signingKey(options.previousSecret)]
  const keys = new Map([...previous, current].map(({ id, key }) => [id, key]))

  return {
    issue({ userId, sessionId, role }, now) {
      const iat = Math.floor(now / 1000)
      const payload = { sub: userId, role, sid: sessionId, typ: 'access', iss: issuer, aud: audience, iat }
      const exp = iat + Math.floor(options.lifetimeMs / 1000)
      return jwt.sign({ ...payload, exp }, current.key, { algorithm: 'HS256', keyid: current.id })
    },
    verify(token, now, { evenExpired = false } = {}) {
      if (token.length > 2048) return null
      const key = keys.get(keyIdOf(token) ?? '')
      if (key === undefined) return null
      try {
        const payload = jwt.verify(token, key, {
          algorithms: ['HS256'],
          issuer,
          audience,
          clockTimestamp: Math.floor(now / 1000),
          ignoreExpiration: evenExpired
        })
        const parsed = claims.safeParse(payload)
        return parsed.success ? { userId: parsed.data.sub, sessionId: parsed.data.sid } : null
      } catch {
        return null
      }
    }
  }
}

function signingKey(secret: string): SigningKey {
  return { id: createHash('sha256').update(secret).digest('hex').slice(0, 8), key: createSecretKey(secret, 'utf8') }
}

/** Returns the key id. The header only selects one of our own keys; it never names an algorithm or a key URL. */
function keyIdOf(token: string): string | null {
  try {
    const header: unknown = JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString('utf8'))
    const parsed = z.object({ alg: z.literal('HS256'), kid: z.string() }).safeParse(header)
    return parsed.success ? parsed.data.kid : null
  } catch {
    return null
  }
}
