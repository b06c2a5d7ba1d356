import type { Role } from '@batti/contracts'
import { z } from 'zod'

const claims = z.looseObject({
  sub: z.string().min(1),
  role: z.unknown().optional(),
  exp: z.number(),
  iat: z.number().optional()
})

/** The claims of an access token that the app reads. `exp` and `iat` are seconds since the epoch. */
export interface AccessClaims {
  sub: string
  role: Role
  exp: number
  iat: number | null
}

/** Any role other than admin or monitor is an ordinary user. */
export function roleOf(value: unknown): Role {
  return value === 'admin' || value === 'monitor' ? value : 'user'
}

/** Returns the claims of a JWT, unverified (the server does that), or null when `token` is not a JWT. */
export function readClaims(token: string): AccessClaims | null {
  const payload = token.split('.')[1]
  if (payload === undefined || token.split('.').length !== 3) return null
  try {
    const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0))
    const parsed = claims.safeParse(JSON.parse(new TextDecoder().decode(bytes)))
    if (!parsed.success) return null
    const { sub, role, exp, iat } = parsed.data
    return { sub, role: roleOf(role), exp, iat: iat ?? null }
  } catch {
    return null
  }
}
