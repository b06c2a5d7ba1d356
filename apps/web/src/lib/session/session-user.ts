import { parseJson } from '@batti/kit/json'
import { z } from 'zod'
import { roleOf, type AccessClaims } from './access-token.ts'

/**
 * The signed-in person as the browser keeps them (`userInfo`). Lenient, because another version of the app may have
 * written it: without an id it is worthless, anything else has a fallback.
 */
export const sessionUser = z.object({
  _id: z.string().min(1),
  role: z.unknown().transform(roleOf),
  name: z.string().catch(''),
  email: z.string().catch(''),
  phone: z.string().nullable().catch(null),
  profileImage: z.object({ url: z.string() }).nullable().catch(null),
  emailVerification: z.boolean().catch(false),
  phoneVerification: z.boolean().catch(false),
  permissions: z.array(z.string()).catch([]),
  timezone: z.string().optional().catch(undefined),
  createdAt: z.string().catch('')
})
export type SessionUser = z.infer<typeof sessionUser>

/** The user that a stored text describes, or null. */
export function parseStoredUser(text: string | null): SessionUser | null {
  if (text === null) return null
  const parsed = sessionUser.safeParse(parseJson(text))
  return parsed.success ? parsed.data : null
}

/** Only a token is stored: the user is what its claims tell. */
export function userFromClaims(claims: AccessClaims): SessionUser {
  return sessionUser.parse({ _id: claims.sub, role: claims.role })
}

/** Admins, and monitors who see all boards: what the server lets into the staff's room. */
export const maySeeFleet = ({ role, permissions }: SessionUser): boolean =>
  role === 'admin' || (role === 'monitor' && permissions.includes('view devices'))

/** Staff who see switches: names, hearts and on-times of any board. */
export const maySeeSwitches = ({ role, permissions }: SessionUser): boolean =>
  role === 'admin' || (role === 'monitor' && permissions.includes('view switches'))

/** Everybody at their own boards, and monitors who are allowed to. */
export const mayControlSwitches = ({ role, permissions }: SessionUser): boolean =>
  role !== 'monitor' || permissions.includes('control switches')
