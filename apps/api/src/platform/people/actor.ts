import type { MonitorPermission, Role } from '@batti/contracts'
import { notFound } from '../app-error.ts'

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

export interface Owned {
  userId: { toString(): string } | null
}

export const owns = (actor: Actor, record: Owned): boolean => record.userId?.toString() === actor.userId

/** A record of the own home; staff have none. */
export const ownsAtHome = (actor: Actor, record: Owned): boolean => actor.role === 'user' && owns(actor, record)

/** A user asks for what is their own: of other accounts they do not learn that they exist. @throws AppError NOT_FOUND. */
export function refuseOthers(actor: Actor, userId: string | undefined): void {
  if (userId !== undefined && userId !== actor.userId && !isStaff(actor)) throw notFound('User')
}
