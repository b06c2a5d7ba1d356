import type { MessageId } from '#web/i18n/message-id.ts'
import type { SessionUser } from '#web/lib/session/session-user.ts'
import { linksTo } from './nav-links.ts'

interface StaffEntry {
  page: string
  label: MessageId
  /** The total of the dashboard that stands beside it. */
  total?: string
}
interface StaffGroup {
  label: MessageId | null
  entries: readonly StaffEntry[]
}

const groups: readonly StaffGroup[] = [
  {
    label: null,
    entries: [
      { page: 'dashboard', label: 'shell.dashboard' },
      { page: 'home', label: 'shell.home' }
    ]
  },
  {
    label: 'shell.group.fleet',
    entries: [
      { page: 'devices', label: 'shell.devices', total: 'totalDevices' },
      { page: 'device-types', label: 'shell.deviceTypes', total: 'totalDeviceTypes' },
      { page: 'switches', label: 'shell.switches', total: 'totalSwitches' },
      { page: 'favorite-switches', label: 'shell.favoriteSwitches' },
      { page: 'rooms', label: 'shell.rooms' },
      { page: 'schedules', label: 'shell.schedules' }
    ]
  },
  {
    label: 'shell.group.firmware',
    entries: [
      { page: 'device-firmware-files', label: 'shell.firmwareFiles' },
      { page: 'rollouts', label: 'shell.rollouts' }
    ]
  },
  {
    label: 'shell.group.people',
    entries: [
      { page: 'users', label: 'shell.users', total: 'totalUsers' },
      { page: 'monitors', label: 'shell.monitors', total: 'totalMonitors' }
    ]
  },
  {
    label: 'shell.group.records',
    entries: [
      { page: 'logs', label: 'shell.logs' },
      { page: 'audit-logs', label: 'shell.auditLogs' },
      { page: 'unauthorized-logs', label: 'shell.unauthorizedLogs', total: 'unauthorizedLogs' }
    ]
  }
]

/** The groups of the side bar, with what this person may open; a group without any is left out. */
export function staffGroupsOf(user: SessionUser) {
  return groups
    .map(({ label, entries }) => ({ label, links: linksTo(user, entries) }))
    .filter(({ links }) => links.length > 0)
}
