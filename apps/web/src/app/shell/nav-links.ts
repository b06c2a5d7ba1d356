import type { Role, PageName } from '@batti/contracts'
import type { MessageId } from '#web/i18n/message-id.ts'
import { hasScreen, mayOpen } from '#web/app/routing/screens.ts'
import type { SessionUser } from '#web/lib/session/session-user.ts'
import { pageLabels } from './page-labels.ts'

/** The pages of the profile dropdown in the specified order; their paths start with the role. */
const dropdown = [
  'profile',
  'home',
  'dashboard',
  'devices',
  'device-types',
  'rooms',
  'switches',
  'favorite-switches',
  'schedules',
  'logs',
  'monitors',
  'users',
  'device-firmware-files',
  'unauthorized-logs'
] as const satisfies readonly PageName[]

export interface NavLink {
  page: PageName
  label: MessageId
  path: string
}

/** Returns links to those pages that exist for this person. */
export function linksTo<Entry extends { page: string }>(
  user: SessionUser,
  pages: readonly Entry[]
): (Entry & { path: string })[] {
  return pages
    .map((entry) => ({ ...entry, path: `/${user.role}/${entry.page}` }))
    .filter(({ path }) => mayOpen(user, path))
}

/** The dropdown's links for a person. */
export const navLinksOf = (user: SessionUser): NavLink[] =>
  linksTo(
    user,
    dropdown.map((page) => ({ page, label: pageLabels[page] }))
  )

/** Change Password opens its modal on the profile page. */
export function changePasswordPathOf(role: Role): string | null {
  return hasScreen(`/${role}/profile`) ? `/${role}/profile?action=change-password` : null
}
