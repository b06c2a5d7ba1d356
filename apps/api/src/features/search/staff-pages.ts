import type { MonitorPermission } from '@batti/contracts'
import type { Actor } from '../../platform/people/actor.ts'

interface StaffPage {
  path: string
  title: string
  /** What a monitor needs for it; null: the admin's alone. */
  permission: MonitorPermission | null
}

const pages: readonly StaffPage[] = [
  { path: 'users', title: 'Users', permission: 'view users' },
  { path: 'devices', title: 'Devices', permission: 'view devices' },
  { path: 'rooms', title: 'Rooms', permission: 'view devices' },
  { path: 'device-firmware-files', title: 'Firmware files', permission: 'view devices' },
  { path: 'switches', title: 'Switches', permission: 'view switches' },
  { path: 'favorite-switches', title: 'Favorite Switches', permission: 'view switches' },
  { path: 'schedules', title: 'Schedules', permission: 'view schedules' },
  { path: 'logs', title: 'Logs', permission: 'view logs' },
  { path: 'dashboard', title: 'Dashboard', permission: null },
  { path: 'home', title: 'Home', permission: null },
  { path: 'profile', title: 'Profile / Settings', permission: null },
  { path: 'device-types', title: 'Device Types', permission: null },
  { path: 'monitors', title: 'Monitors', permission: null },
  { path: 'unauthorized-logs', title: 'Unauthorized Logs', permission: null },
  { path: 'rollouts', title: 'Rollouts', permission: null },
  { path: 'audit-logs', title: 'Audit log', permission: null },
  { path: 'fleet', title: 'Fleet health', permission: null }
]

/** Pages whose title contains the text, as far as the permissions go. */
export function findPages(actor: Actor, text: string, limit: number): { path: string; title: string }[] {
  const wanted = text.toLowerCase()
  return pages
    .filter(({ title, permission }) => {
      const may = actor.role === 'admin' || (permission !== null && actor.permissions.includes(permission))
      return may && title.toLowerCase().includes(wanted)
    })
    .slice(0, limit)
    .map(({ path, title }) => ({ path: `/${actor.role}/${path}`, title }))
}
