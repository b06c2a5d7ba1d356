import type { MonitorPermission } from './constants.ts'

/** A staff page, at /admin/{page}, and at /monitor/{page} for monitors who may see it. */
interface StaffPage {
  page: string
  /** Its English name in the menu. */
  title: string
  /** The permission that a monitor needs; `any`: every monitor may see it; `none`: admins only. */
  monitor: MonitorPermission | 'any' | 'none'
}

/** Every staff page, for menus, guards and search. */
export const staffPages = [
  { page: 'dashboard', title: 'Dashboard', monitor: 'any' },
  { page: 'home', title: 'Home', monitor: 'any' },
  { page: 'profile', title: 'Profile / Settings', monitor: 'any' },
  { page: 'devices', title: 'Devices', monitor: 'view devices' },
  { page: 'device-types', title: 'Device Types', monitor: 'none' },
  { page: 'switches', title: 'Switches', monitor: 'view switches' },
  { page: 'favorite-switches', title: 'Favorite Switches', monitor: 'view switches' },
  { page: 'rooms', title: 'Rooms', monitor: 'view devices' },
  { page: 'schedules', title: 'Schedules', monitor: 'view schedules' },
  { page: 'fleet', title: 'Fleet health', monitor: 'view devices' },
  { page: 'device-firmware-files', title: 'Firmware-files', monitor: 'view devices' },
  { page: 'rollouts', title: 'Rollouts', monitor: 'view devices' },
  { page: 'users', title: 'Users', monitor: 'view users' },
  { page: 'monitors', title: 'Monitors', monitor: 'none' },
  { page: 'logs', title: 'Logs', monitor: 'view logs' },
  { page: 'audit-logs', title: 'Audit log', monitor: 'none' },
  { page: 'unauthorized-logs', title: 'Unauthorized Logs', monitor: 'none' }
] as const satisfies readonly StaffPage[]
/** A page in the menus, at /{role}/{page}. Homes have some of the same pages. */
export type PageName = (typeof staffPages)[number]['page']

/** Returns what a monitor needs for a page or one below it (`devices/:id`); `none` for an unknown page. */
export function monitorNeeds(page: string): StaffPage['monitor'] {
  const [first] = page.split('/')
  return staffPages.find((known) => known.page === first)?.monitor ?? 'none'
}

const words = (text: string) =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()

/** Whether a page's name contains the typed text, regardless of case and of how its words are joined. */
export function isPageNamed(title: string, typed: string): boolean {
  const sought = words(typed)
  return sought !== '' && words(title).includes(sought)
}
