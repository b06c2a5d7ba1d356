import type { Role } from '@batti/contracts'
import type { ComponentType } from 'react'
import type { Area } from '../i18n/message-id.ts'

/** One screen: where it is, who may see it (`public`: everybody), the texts it needs, and its module. */
export interface Screen {
  path: string
  roles: readonly Role[] | 'public'
  texts: readonly Area[]
  load: () => Promise<{ Screen: ComponentType }>
}

const user = ['user'] as const

/**
 * The route tables of both specifications. A screen is added by its line here and its module in `routes/`; the menus
 * and the quick-nav show only what stands here, so no link ever leads nowhere.
 */
export const screens: readonly Screen[] = [
  { path: '/user/login', roles: 'public', texts: ['accounts'], load: () => import('./routes/public/login.tsx') },
  { path: '/login', roles: 'public', texts: ['accounts'], load: () => import('./routes/public/login.tsx') },
  {
    path: '/user/register',
    roles: 'public',
    texts: ['accounts'],
    load: () => import('./routes/public/register.tsx')
  },
  {
    path: '/user/verify-registration',
    roles: 'public',
    texts: ['accounts'],
    load: () => import('./routes/public/verify-registration.tsx')
  },
  { path: '/user/devices', roles: user, texts: ['devices'], load: () => import('./routes/user/devices.tsx') },
  { path: '/user/devices/new', roles: user, texts: ['pairing'], load: () => import('./routes/user/new-device.tsx') },
  { path: '/admin/dashboard', roles: ['admin'], texts: ['staff'], load: () => import('./routes/admin/dashboard.tsx') },
  {
    path: '/monitor/dashboard',
    roles: ['monitor'],
    texts: ['staff'],
    load: () => import('./routes/monitor/dashboard.tsx')
  }
]

/** Whether a path of the table, without parameters, has its screen. */
export function hasScreen(path: string): boolean {
  return screens.some((screen) => screen.path === path)
}
