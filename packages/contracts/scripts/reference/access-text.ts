import type { RouteAccess } from '../../src/index.ts'

/** Who may call, in words: `user, admin, monitor with "view devices"`. */
export function accessText(access: RouteAccess): string {
  if (access.kind === 'public') return 'anybody'
  if (access.kind === 'account') return 'any account'
  const roles = [
    ...(access.user ? ['user'] : []),
    ...(access.admin ? ['admin'] : []),
    ...(access.monitor === false ? [] : [`monitor with "${access.monitor}"`])
  ]
  return roles.join(', ')
}
