import type { MonitorPermission } from '@batti/contracts'
import type { Area } from '#web/i18n/message-id.ts'
import type { Screen } from './screens.ts'

interface StaffPage {
  page: string
  /** What a monitor needs for it; null for every monitor, left out where the page is the admin's alone. */
  permission?: MonitorPermission | null
  texts: readonly Area[]
  load: Screen['load']
}

/** What every list needs. */
const listTexts = ['table', 'rules', 'staff'] as const
const fleetTexts = [...listTexts, 'fleet', 'devices'] as const

const pages: readonly StaffPage[] = [
  { page: 'dashboard', permission: null, texts: ['staff'], load: () => import('#web/routes/staff/dashboard.tsx') },
  {
    page: 'devices',
    permission: 'view devices',
    texts: [...fleetTexts, 'switches', 'users'],
    load: () => import('#web/routes/staff/devices.tsx')
  },
  {
    page: 'device-types',
    texts: [...fleetTexts, 'accounts'],
    load: () => import('#web/routes/staff/device-types.tsx')
  },
  {
    page: 'rooms',
    permission: 'view devices',
    texts: [...fleetTexts, 'users'],
    load: () => import('#web/routes/staff/rooms.tsx')
  },
  {
    page: 'switches',
    permission: 'view switches',
    texts: [...fleetTexts, 'switches'],
    load: () => import('#web/routes/staff/switches.tsx')
  },
  {
    page: 'favorite-switches',
    permission: 'view switches',
    texts: [...fleetTexts, 'switches'],
    load: () => import('#web/routes/staff/favorite-switches.tsx')
  },
  {
    page: 'schedules',
    permission: 'view schedules',
    texts: [...fleetTexts, 'schedules'],
    load: () => import('#web/routes/staff/schedules.tsx')
  },
  {
    page: 'users',
    permission: 'view users',
    texts: [...listTexts, 'users'],
    load: () => import('#web/routes/staff/users.tsx')
  },
  { page: 'monitors', texts: [...listTexts, 'records'], load: () => import('#web/routes/staff/monitors.tsx') },
  {
    page: 'logs',
    permission: 'view logs',
    texts: [...listTexts, 'records', 'logs'],
    load: () => import('#web/routes/staff/logs.tsx')
  },
  { page: 'audit-logs', texts: [...listTexts, 'audit'], load: () => import('#web/routes/staff/audit-logs.tsx') },
  {
    page: 'unauthorized-logs',
    texts: [...listTexts, 'records'],
    load: () => import('#web/routes/staff/unauthorized-logs.tsx')
  }
]

/** Pages of admins, and of monitors as far as a permission of theirs leads there. */
export const staffScreens: readonly Screen[] = [
  {
    path: '/admin/home',
    roles: ['admin'],
    texts: ['home', 'rooms', 'switches', 'table'],
    load: () => import('#web/routes/staff/home.tsx')
  },
  // A monitor's home is its dashboard.
  {
    path: '/monitor/home',
    roles: ['monitor'],
    texts: ['staff'],
    load: () => import('#web/routes/staff/dashboard.tsx')
  },
  ...pages.flatMap(({ page, permission, texts, load }): Screen[] => [
    { path: `/admin/${page}`, roles: ['admin'], texts, load },
    ...(permission === undefined
      ? []
      : [
          {
            path: `/monitor/${page}`,
            roles: ['monitor'] as const,
            texts,
            load,
            ...(permission !== null && { permission })
          }
        ])
  ])
]
