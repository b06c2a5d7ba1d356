import type { Role } from '@batti/contracts'
import type { SignOutReason } from '#web/lib/session/session.ts'

/** accounts §2: where each role lands after login. */
const homes: Record<Role, string> = {
  admin: '/admin/dashboard',
  monitor: '/monitor/dashboard',
  user: '/user/home'
}

export const loginPath = '/user/login'

export const roleHome = (role: Role): string => homes[role]

/** Where an ended session leads: the login, or the public home after the account is gone (accounts §4). */
export const pathAfter = (ending: SignOutReason): string => (ending === 'account-deleted' ? '/' : loginPath)
