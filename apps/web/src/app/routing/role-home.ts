import type { Role } from '@batti/contracts'
import type { SignOutReason } from '#web/lib/session/session.ts'

/** Where each role lands after login. */
const homes: Record<Role, string> = {
  admin: '/admin/dashboard',
  monitor: '/monitor/dashboard',
  user: '/user/home'
}

export const loginPath = '/user/login'
export const forgotPath = '/user/forgot-password'

export const roleHome = (role: Role): string => homes[role]

/** Returns the path after a session ended: the login, or the public home when the account was deleted. */
export const pathAfter = (ending: SignOutReason): string => (ending === 'account-deleted' ? '/' : loginPath)
