import { monitorNeeds } from '@batti/contracts'
import type { Area } from '#web/i18n/message-id.ts'
import type { Screen } from './screen.ts'

interface StaffPage {
  page: string
  texts: readonly Area[]
  load: Screen['load']
}

/** Texts that every list needs. */
const listTexts = ['table', 'rules', 'staff'] as const
const fleetTexts = [...listTexts, 'fleet', 'devices'] as const

const rolloutTexts = [...fleetTexts, 'firmware', 'health', 'rollouts'] as const

const pages: readonly StaffPage[] = [
  { page: 'dashboard', texts: ['staff', 'health', 'table'], load: () => import('#web/routes/staff/dashboard.tsx') },
  {
    page: 'fleet',
    texts: ['staff', 'health', 'table', 'fleet-page'],
    load: () => import('#web/routes/staff/fleet.tsx')
  },
  {
    page: 'devices',
    texts: [...fleetTexts, 'colours', 'health', 'switches', 'users', 'firmware'],
    load: () => import('#web/routes/staff/devices.tsx')
  },
  {
    page: 'device-types',
    texts: [...fleetTexts, 'accounts'],
    load: () => import('#web/routes/staff/device-types.tsx')
  },
  {
    page: 'rooms',
    texts: [...fleetTexts, 'users'],
    load: () => import('#web/routes/staff/rooms.tsx')
  },
  {
    page: 'switches',
    texts: [...fleetTexts, 'switches'],
    load: () => import('#web/routes/staff/switches.tsx')
  },
  {
    page: 'favorite-switches',
    texts: [...fleetTexts, 'switches'],
    load: () => import('#web/routes/staff/favorite-switches.tsx')
  },
  {
    page: 'schedules',
    texts: [...fleetTexts, 'schedules'],
    load: () => import('#web/routes/staff/schedules.tsx')
  },
  {
    page: 'devices/:id',
    texts: [...fleetTexts, 'colours', 'board', 'health', 'switches', 'on-times', 'users', 'firmware', 'logs'],
    load: () => import('#web/routes/staff/board.tsx')
  },
  {
    page: 'rollouts',
    texts: rolloutTexts,
    load: () => import('#web/routes/staff/rollouts.tsx')
  },
  {
    page: 'rollouts/:id',
    texts: rolloutTexts,
    load: () => import('#web/routes/staff/rollout.tsx')
  },
  {
    page: 'device-firmware-files',
    texts: [...fleetTexts, 'firmware'],
    load: () => import('#web/routes/staff/firmware-files.tsx')
  },
  {
    page: 'users',
    texts: [...listTexts, 'users'],
    load: () => import('#web/routes/staff/users.tsx')
  },
  {
    page: 'users/:id',
    texts: [
      ...listTexts,
      'users',
      'user-page',
      'accounts',
      'audit',
      'devices',
      'health',
      'logs',
      'profile',
      'schedules',
      'switches'
    ],
    load: () => import('#web/routes/staff/user.tsx')
  },
  { page: 'monitors', texts: [...listTexts, 'records'], load: () => import('#web/routes/staff/monitors.tsx') },
  {
    page: 'logs',
    texts: [...listTexts, 'records', 'logs', 'devices', 'switches'],
    load: () => import('#web/routes/staff/logs.tsx')
  },
  {
    page: 'audit-logs',
    texts: [...listTexts, 'audit', 'profile'],
    load: () => import('#web/routes/staff/audit-logs.tsx')
  },
  {
    page: 'unauthorized-logs',
    texts: [...listTexts, 'records'],
    load: () => import('#web/routes/staff/unauthorized-logs.tsx')
  }
]

const newRollout = {
  texts: rolloutTexts,
  load: () => import('#web/routes/staff/new-rollout.tsx')
} as const

/** Pages of admins, and of monitors with the required permission. */
export const staffScreens: readonly Screen[] = [
  {
    path: '/admin/home',
    roles: ['admin'],
    texts: ['home', 'rooms', 'switches', 'table', 'devices'],
    load: () => import('#web/routes/staff/home.tsx')
  },
  // Only an admin starts a rollout; monitors may view them.
  { path: '/admin/rollouts/new', roles: ['admin'], ...newRollout },
  { path: '/monitor/rollouts/new', roles: ['monitor'], permission: 'none', ...newRollout },
  // A monitor's home is its dashboard.
  {
    path: '/monitor/home',
    roles: ['monitor'],
    texts: ['staff', 'health', 'table'],
    load: () => import('#web/routes/staff/dashboard.tsx')
  },
  ...pages.flatMap(({ page, texts, load }): Screen[] => {
    const needs = monitorNeeds(page)
    const ofMonitors = { path: `/monitor/${page}`, roles: ['monitor'] as const, texts, load }
    return [
      { path: `/admin/${page}`, roles: ['admin'], texts, load },
      needs === 'any' ? ofMonitors : { ...ofMonitors, permission: needs }
    ]
  })
]
