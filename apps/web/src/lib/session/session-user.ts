import { parseJson } from '@batti/kit/json'
import { z } from 'zod'
import { roleOf, type AccessClaims } from './access-token.ts'

/**
 * The signed-in person as stored in the browser (`userInfo`). Lenient, because another version of the app may have
 * written it: the id is required, everything else has a fallback.
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

/** Parses a stored user; null when it is invalid. */
export function parseStoredUser(text: string | null): SessionUser | null {
  if (text === null) return null
  const parsed = sessionUser.safeParse(parseJson(text))
  return parsed.success ? parsed.data : null
}

/** Returns the user from the claims, for when only a token is stored. */
export function userFromClaims(claims: AccessClaims): SessionUser {
  return sessionUser.parse({ _id: claims.sub, role: claims.role })
}

/** Returns whether the server lets this person join the staff room: admins, and monitors who may view devices. */
export const maySeeFleet = ({ role, permissions }: SessionUser): boolean =>
  role === 'admin' || (role === 'monitor' && permissions.includes('view devices'))

/** Returns whether these staff may see the switches of any board: names, favourites and on-times. */
export const maySeeSwitches = ({ role, permissions }: SessionUser): boolean =>
  role === 'admin' || (role === 'monitor' && permissions.includes('view switches'))

/** Everybody may control their own boards; monitors need the permission. */
export const mayControlSwitches = ({ role, permissions }: SessionUser): boolean =>
  role !== 'monitor' || permissions.includes('control switches')

/** Monitors switch lamps, if permitted, but never rename them or change favourites. */
export const mayEditSwitches = ({ role }: SessionUser): boolean => role !== 'monitor'
