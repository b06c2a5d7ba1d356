import type { Role } from '@batti/contracts'
import type { ComponentType } from 'react'
import type { Area } from '#web/i18n/message-id.ts'
import { accountScreens } from './account-screens.ts'

/** One screen: where it is, who may see it (`public`: everybody), the texts it needs, and its module. */
export interface Screen {
  path: string
  roles: readonly Role[] | 'public'
  texts: readonly Area[]
  load: () => Promise<{ Screen: ComponentType }>
}

const user = ['user'] as const
/** Wherever a switch is shown with its options, a schedule can be added to it. */
const switchTexts = ['devices', 'switches', 'schedules', 'on-times'] as const

/**
 * The route tables of both specifications. A screen is added by its line here and its module in `routes/`; the menus
 * and the quick-nav show only what stands here, so no link ever leads nowhere.
 */
export const screens: readonly Screen[] = [
  ...accountScreens,
  {
    path: '/user/home',
    roles: user,
    texts: ['home', 'rooms', ...switchTexts],
    load: () => import('#web/routes/user/home.tsx')
  },
  {
    path: '/user/dashboard',
    roles: user,
    texts: ['dashboard', ...switchTexts],
    load: () => import('#web/routes/user/dashboard.tsx')
  },
  {
    path: '/user/devices',
    roles: user,
    texts: ['device-details', ...switchTexts],
    load: () => import('#web/routes/user/devices.tsx')
  },
  { path: '/user/devices/new', roles: user, texts: ['pairing'], load: () => import('#web/routes/user/new-device.tsx') },
  {
    path: '/user/rooms',
    roles: user,
    texts: ['rooms', ...switchTexts],
    load: () => import('#web/routes/user/rooms.tsx')
  },
  { path: '/user/switches', roles: user, texts: switchTexts, load: () => import('#web/routes/user/switches.tsx') },
  {
    path: '/user/switches/:id',
    roles: user,
    texts: ['logs', ...switchTexts],
    load: () => import('#web/routes/user/switch-detail.tsx')
  },
  {
    path: '/user/favorite-switches',
    roles: user,
    texts: switchTexts,
    load: () => import('#web/routes/user/favorite-switches.tsx')
  },
  { path: '/user/schedules', roles: user, texts: switchTexts, load: () => import('#web/routes/user/schedules.tsx') },
  {
    path: '/user/logs',
    roles: user,
    texts: ['logs', ...switchTexts],
    load: () => import('#web/routes/user/logs.tsx')
  },
  {
    path: '/admin/dashboard',
    roles: ['admin'],
    texts: ['staff'],
    load: () => import('#web/routes/admin/dashboard.tsx')
  },
  {
    path: '/monitor/dashboard',
    roles: ['monitor'],
    texts: ['staff'],
    load: () => import('#web/routes/monitor/dashboard.tsx')
  }
]

/** Whether a path of the table, without parameters, has its screen. */
export function hasScreen(path: string): boolean {
  return screens.some((screen) => screen.path === path)
}
