import type { Role } from '@batti/contracts'
import type { SignOutReason } from '../lib/session/session.ts'
import { hasScreen } from './screens.ts'

/** accounts §2: where each role lands after login. */
const specifiedHome: Record<Role, string> = {
  admin: '/admin/dashboard',
  monitor: '/monitor/dashboard',
  user: '/user/home'
}

export const loginPath = '/user/login'

/** Where an ended session leads: the login, or the public home after the account is gone (accounts §4). */
export function pathAfter(ending: SignOutReason): string {
  return ending === 'account-deleted' ? '/' : loginPath
}

export function roleHome(role: Role): string {
  const home = specifiedHome[role]
  // Never a page that is not there: its address would lead to the login, and the login back to it.
  return role === 'user' && !hasScreen(home) ? '/user/devices' : home
}
