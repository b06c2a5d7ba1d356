import type { MonitorPermission, Role } from '@batti/contracts'

/** Who acts, read from the database at each request: never from the claims of a token. */
export interface Actor {
  userId: string
  role: Role
  name: string
  /** Of a monitor; empty for the other roles. */
  permissions: readonly MonitorPermission[]
  /** The session that the access token belongs to. */
  sessionId: string
}

export const isStaff = (actor: Actor): boolean => actor.role === 'admin' || actor.role === 'monitor'

/** Whether a member of staff may: an admin always, a monitor with that permission. */
export const staffMay = (actor: Actor, permission: MonitorPermission): boolean =>
  actor.role === 'admin' || (actor.role === 'monitor' && actor.permissions.includes(permission))
