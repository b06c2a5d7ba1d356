import type { MonitorPermission, Role } from '@batti/contracts'
import { notFound } from '../app-error.ts'

/** The acting account, read from the database at each request, never from the claims of a token. */
export interface Actor {
  userId: string
  role: Role
  name: string
  /** The permissions of a monitor; empty for other roles. */
  permissions: readonly MonitorPermission[]
  /** The session of the access token. */
  sessionId: string
}

export const isStaff = (actor: Actor): boolean => actor.role === 'admin' || actor.role === 'monitor'

/** Whether a member of staff has the permission: admins always, monitors only if it was granted. */
export const staffMay = (actor: Actor, permission: MonitorPermission): boolean =>
  actor.role === 'admin' || (actor.role === 'monitor' && actor.permissions.includes(permission))

export interface Owned {
  userId: { toString(): string } | null
}

export const owns = (actor: Actor, record: Owned): boolean => record.userId?.toString() === actor.userId

/** Whether the record belongs to the actor's own home; staff have none. */
export const ownsAtHome = (actor: Actor, record: Owned): boolean => actor.role === 'user' && owns(actor, record)

/** Refuses users access to other accounts, without revealing whether those exist. @throws AppError NOT_FOUND. */
export function refuseOthers(actor: Actor, userId: string | undefined): void {
  if (userId !== undefined && userId !== actor.userId && !isStaff(actor)) throw notFound('User')
}
