import type { PageName } from '@batti/contracts'
import type { SessionUser } from '#web/lib/session/session-user.ts'
import { linksTo } from './nav-links.ts'
import { pageLabels } from './page-labels.ts'
import { staffGroupsOf } from './staff-nav.ts'

export type PageGroup = ReturnType<typeof staffGroupsOf>[number]

/** The pages of a home in the specified order; the settings form a group of their own. */
const homePages: readonly (readonly PageName[])[] = [
  ['home', 'dashboard', 'devices', 'rooms', 'switches', 'favorite-switches', 'schedules', 'logs'],
  ['profile']
]

/** The groups of pages that the side bar and the phone's sheet show to a person. */
export function pageGroupsOf(user: SessionUser): readonly PageGroup[] {
  if (user.role !== 'user') return staffGroupsOf(user)
  return homePages.map((pages) => ({
    label: null,
    links: linksTo(
      user,
      pages.map((page) => ({ page, label: pageLabels[page] }))
    )
  }))
}
