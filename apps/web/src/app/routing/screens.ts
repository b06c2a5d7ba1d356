import type { Screen } from './screen.ts'
import { matchPath } from 'react-router-dom'
import type { SessionUser } from '#web/lib/session/session-user.ts'
import { accountScreens } from './account-screens.ts'
import { staffScreens } from './staff-screens.ts'

const home = ['user'] as const
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
    roles: home,
    texts: ['home', 'rooms', ...switchTexts],
    load: () => import('#web/routes/user/home.tsx')
  },
  {
    path: '/user/dashboard',
    roles: home,
    texts: ['dashboard', ...switchTexts],
    load: () => import('#web/routes/user/dashboard.tsx')
  },
  {
    path: '/user/devices',
    roles: home,
    texts: ['device-details', 'rules', ...switchTexts],
    load: () => import('#web/routes/user/devices.tsx')
  },
  {
    path: '/user/devices/new',
    roles: home,
    texts: ['pairing', 'rules'],
    load: () => import('#web/routes/user/new-device.tsx')
  },
  {
    path: '/user/rooms',
    roles: home,
    texts: ['rooms', 'rules', ...switchTexts],
    load: () => import('#web/routes/user/rooms.tsx')
  },
  {
    path: '/user/switches',
    roles: home,
    texts: ['rooms', ...switchTexts],
    load: () => import('#web/routes/user/switches.tsx')
  },
  {
    path: '/user/switches/:id',
    roles: home,
    texts: ['logs', ...switchTexts],
    load: () => import('#web/routes/user/switch-detail.tsx')
  },
  {
    path: '/user/favorite-switches',
    roles: home,
    texts: switchTexts,
    load: () => import('#web/routes/user/favorite-switches.tsx')
  },
  { path: '/user/schedules', roles: home, texts: switchTexts, load: () => import('#web/routes/user/schedules.tsx') },
  {
    path: '/user/logs',
    roles: home,
    texts: ['logs', ...switchTexts],
    load: () => import('#web/routes/user/logs.tsx')
  },
  ...staffScreens
]

/** Whether a person's role, and a monitor's permissions, lead to a screen. */
export function maySee(user: SessionUser, { roles, permission }: Pick<Screen, 'roles' | 'permission'>): boolean {
  if (roles !== 'public' && !roles.includes(user.role)) return false
  return permission === undefined || user.role !== 'monitor' || user.permissions.includes(permission)
}

/** The screens at a path, whatever its query, that this person may see. */
export function screensFor(user: SessionUser, path: string): Screen[] {
  const [pathname = path] = path.split('?')
  return screens.filter((screen) => matchPath(screen.path, pathname) !== null && maySee(user, screen))
}

export const mayOpen = (user: SessionUser, path: string): boolean => screensFor(user, path).length > 0

/** Whether a path of the table, without parameters, has its screen. */
export function hasScreen(path: string): boolean {
  return screens.some((screen) => screen.path === path)
}
