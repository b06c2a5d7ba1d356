import type { PageName } from '@batti/contracts'
import type { MessageId } from '#web/i18n/message-id.ts'
import type { SessionUser } from '#web/lib/session/session-user.ts'
import { linksTo } from './nav-links.ts'
import { pageLabels } from './page-labels.ts'

interface StaffEntry {
  page: PageName
  /** The dashboard total shown beside the entry. */
  total?: string
}
interface StaffGroup {
  label: MessageId | null
  entries: readonly StaffEntry[]
}

const groups: readonly StaffGroup[] = [
  {
    label: null,
    entries: [{ page: 'dashboard' }, { page: 'home' }]
  },
  {
    label: 'shell.group.fleet',
    entries: [
      { page: 'devices', total: 'totalDevices' },
      { page: 'fleet' },
      { page: 'device-types', total: 'totalDeviceTypes' },
      { page: 'switches', total: 'totalSwitches' },
      { page: 'favorite-switches' },
      { page: 'rooms' },
      { page: 'schedules' }
    ]
  },
  {
    label: 'shell.group.firmware',
    entries: [{ page: 'device-firmware-files' }, { page: 'rollouts' }]
  },
  {
    label: 'shell.group.people',
    entries: [
      { page: 'users', total: 'totalUsers' },
      { page: 'monitors', total: 'totalMonitors' }
    ]
  },
  {
    label: 'shell.group.records',
    entries: [{ page: 'logs' }, { page: 'audit-logs' }, { page: 'unauthorized-logs', total: 'unauthorizedLogs' }]
  }
]

/** Returns the groups of the side bar with the pages this person may open; empty groups are left out. */
export function staffGroupsOf(user: SessionUser) {
  return groups
    .map(({ label, entries }) => ({
      label,
      links: linksTo(
        user,
        entries.map((entry) => ({ ...entry, label: pageLabels[entry.page] }))
      )
    }))
    .filter(({ links }) => links.length > 0)
}
