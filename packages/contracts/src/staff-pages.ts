import type { MonitorPermission } from './constants.ts'

/** A page of staff: at /admin/{page}, and at /monitor/{page} for the monitors who may have it. */
interface StaffPage {
  page: string
  /** As the menu calls it in English. */
  title: string
  /** The permission that a monitor needs; `any`: every monitor has it; `none`: it is the admin's alone. */
  monitor: MonitorPermission | 'any' | 'none'
}

/** Every page of staff, for the menus, the guards and the search alike. */
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
/** A page of the menus, at /{role}/{page}: homes have some of the same. */
export type PageName = (typeof staffPages)[number]['page']

/** What a monitor needs for a page or for one below it (`devices/:id`); a page that nobody knows is no monitor's. */
export function monitorNeeds(page: string): StaffPage['monitor'] {
  const [first] = page.split('/')
  return staffPages.find((known) => known.page === first)?.monitor ?? 'none'
}

const words = (text: string) =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()

/** Whether a page's name contains what was typed: however the words are joined, in whatever case. */
export function isPageNamed(title: string, typed: string): boolean {
  const sought = words(typed)
  return sought !== '' && words(title).includes(sought)
}
