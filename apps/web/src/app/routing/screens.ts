import type { Screen } from './screen.ts'
import { matchPath } from 'react-router-dom'
import type { SessionUser } from '#web/lib/session/session-user.ts'
import { accountScreens } from './account-screens.ts'
import { staffScreens } from './staff-screens.ts'

const home = ['user'] as const
/** Texts of any page whose switches open their options, which include adding a schedule. */
const switchTexts = ['devices', 'switches', 'schedules', 'on-times'] as const

/**
 * The route tables of both specifications. To add a screen, add a line here and its module in `routes/`. The menus and
 * the quick navigation show only screens listed here, so no link leads nowhere.
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
    texts: ['device-details', 'colours', 'rules', ...switchTexts],
    load: () => import('#web/routes/user/devices.tsx')
  },
  {
    path: '/user/devices/new',
    roles: home,
    texts: ['pairing', 'colours', 'rules'],
    load: () => import('#web/routes/user/new-device.tsx')
  },
  {
    path: '/user/rooms',
    roles: home,
    texts: ['rooms', 'room-changes', 'rules', ...switchTexts],
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
  {
    path: '/user/schedules',
    roles: home,
    texts: ['schedule-list', ...switchTexts],
    load: () => import('#web/routes/user/schedules.tsx')
  },
  {
    path: '/user/logs',
    roles: home,
    texts: ['logs', ...switchTexts],
    load: () => import('#web/routes/user/logs.tsx')
  },
  ...staffScreens
]

/** Returns whether a person's role, and a monitor's permissions, allow a screen. */
export function maySee(user: SessionUser, { roles, permission }: Pick<Screen, 'roles' | 'permission'>): boolean {
  if (roles !== 'public' && !roles.includes(user.role)) return false
  return permission === undefined || user.role !== 'monitor' || user.permissions.includes(permission)
}

/** Returns the screens at a path, without its query, that this person may see. */
export function screensFor(user: SessionUser, path: string): Screen[] {
  const [pathname = path] = path.split('?')
  return screens.filter((screen) => matchPath(screen.path, pathname) !== null && maySee(user, screen))
}

export const mayOpen = (user: SessionUser, path: string): boolean => screensFor(user, path).length > 0

/** Returns whether a path without parameters has a screen. */
export function hasScreen(path: string): boolean {
  return screens.some((screen) => screen.path === path)
}
