import type { PageName } from '@batti/contracts'
import type { MessageId } from '#web/i18n/message-id.ts'

/** The name of each page in every menu. */
export const pageLabels = {
  dashboard: 'shell.dashboard',
  home: 'shell.home',
  profile: 'shell.profile',
  devices: 'shell.devices',
  'device-types': 'shell.deviceTypes',
  switches: 'shell.switches',
  'favorite-switches': 'shell.favoriteSwitches',
  rooms: 'shell.rooms',
  schedules: 'shell.schedules',
  fleet: 'shell.fleet',
  'device-firmware-files': 'shell.firmwareFiles',
  rollouts: 'shell.rollouts',
  users: 'shell.users',
  monitors: 'shell.monitors',
  logs: 'shell.logs',
  'audit-logs': 'shell.auditLogs',
  'unauthorized-logs': 'shell.unauthorizedLogs'
} as const satisfies Record<PageName, MessageId>
