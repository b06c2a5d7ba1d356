import type { RouteAccess } from '../../src/index.ts'

const monitorText = (monitor: Extract<RouteAccess, { kind: 'roles' }>['monitor']): string[] => {
  if (monitor === false) return []
  return [monitor === 'any' ? 'monitor' : `monitor with "${monitor}"`]
}

/** Describes in words who may call: `user, admin, monitor with "view devices"`. */
export function accessText(access: RouteAccess): string {
  if (access.kind === 'public') return 'anybody'
  if (access.kind === 'account') return 'any account'
  const roles = [...(access.user ? ['user'] : []), ...(access.admin ? ['admin'] : []), ...monitorText(access.monitor)]
  return roles.join(', ')
}
