import type { Role } from '@batti/contracts'
import { hasScreen } from './screens.ts'

/** accounts §2: where each role lands after login. */
const specifiedHome: Record<Role, string> = {
  admin: '/admin/dashboard',
  monitor: '/monitor/dashboard',
  user: '/user/home'
}

export const loginPath = '/user/login'

export function roleHome(role: Role): string {
  const home = specifiedHome[role]
  // Never a page that is not there: its address would lead to the login, and the login back to it.
  return role === 'user' && !hasScreen(home) ? '/user/devices' : home
}
