import type { Role } from '@batti/contracts'
import type { MessageId } from '#web/i18n/message-id.ts'
import { hasScreen, mayOpen } from '#web/app/routing/screens.ts'
import type { SessionUser } from '#web/lib/session/session-user.ts'

interface NavEntry {
  label: MessageId
  page: string
}

/** The profile dropdown's entries in the specified order; their paths are prefixed by the role. */
const entries: readonly NavEntry[] = [
  { label: 'shell.profile', page: 'profile' },
  { label: 'shell.home', page: 'home' },
  { label: 'shell.dashboard', page: 'dashboard' },
  { label: 'shell.devices', page: 'devices' },
  { label: 'shell.deviceTypes', page: 'device-types' },
  { label: 'shell.rooms', page: 'rooms' },
  { label: 'shell.switches', page: 'switches' },
  { label: 'shell.favoriteSwitches', page: 'favorite-switches' },
  { label: 'shell.schedules', page: 'schedules' },
  { label: 'shell.logs', page: 'logs' },
  { label: 'shell.monitors', page: 'monitors' },
  { label: 'shell.users', page: 'users' },
  { label: 'shell.firmwareFiles', page: 'device-firmware-files' },
  { label: 'shell.unauthorizedLogs', page: 'unauthorized-logs' }
]

export interface NavLink extends NavEntry {
  path: string
}

/** Links to those of the pages that exist for this person. */
export function linksTo<Entry extends { page: string }>(
  user: SessionUser,
  pages: readonly Entry[]
): (Entry & { path: string })[] {
  return pages
    .map((entry) => ({ ...entry, path: `/${user.role}/${entry.page}` }))
    .filter(({ path }) => mayOpen(user, path))
}

/** The dropdown's links for a person. */
export const navLinksOf = (user: SessionUser): NavLink[] => linksTo(user, entries)

/** Change Password opens its modal on the profile page. */
export function changePasswordPathOf(role: Role): string | null {
  return hasScreen(`/${role}/profile`) ? `/${role}/profile?action=change-password` : null
}
