import type { Role } from '@batti/contracts'
import type { MessageId } from '#web/i18n/message-id.ts'
import { hasScreen } from '#web/app/routing/screens.ts'

interface NavEntry {
  label: MessageId
  page: string
  roles: readonly Role[]
}

const everyone: readonly Role[] = ['user', 'admin', 'monitor']

/** The profile dropdown's entries in the specified order (operations §2); their paths are prefixed by the role. */
const entries: readonly NavEntry[] = [
  { label: 'shell.profile', page: 'profile', roles: everyone },
  { label: 'shell.home', page: 'home', roles: everyone },
  { label: 'shell.dashboard', page: 'dashboard', roles: everyone },
  { label: 'shell.devices', page: 'devices', roles: everyone },
  { label: 'shell.deviceTypes', page: 'device-types', roles: ['admin'] },
  { label: 'shell.rooms', page: 'rooms', roles: everyone },
  { label: 'shell.switches', page: 'switches', roles: everyone },
  { label: 'shell.favoriteSwitches', page: 'favorite-switches', roles: everyone },
  { label: 'shell.schedules', page: 'schedules', roles: everyone },
  { label: 'shell.logs', page: 'logs', roles: everyone },
  { label: 'shell.monitors', page: 'monitors', roles: ['admin'] },
  { label: 'shell.users', page: 'users', roles: ['admin', 'monitor'] },
  { label: 'shell.firmwareFiles', page: 'device-firmware-files', roles: ['admin', 'monitor'] },
  { label: 'shell.unauthorizedLogs', page: 'unauthorized-logs', roles: ['admin'] }
]

export interface NavLink {
  label: MessageId
  page: string
  path: string
}

/** The dropdown's links for a role: those whose screen exists. */
export function navLinksOf(role: Role): NavLink[] {
  return entries
    .filter((entry) => entry.roles.includes(role))
    .map(({ label, page }) => ({ label, page, path: `/${role}/${page}` }))
    .filter((link) => hasScreen(link.path))
}

/** Change Password opens its modal on the profile page. */
export function changePasswordPathOf(role: Role): string | null {
  return hasScreen(`/${role}/profile`) ? `/${role}/profile?action=change-password` : null
}
