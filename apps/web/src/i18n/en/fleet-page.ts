export const messages = {
  'fleetPage.title': 'Fleet health',
  'fleetPage.failed': 'The state of the boards did not load',
  'fleetPage.all': 'All boards',
  'fleetPage.online': 'Online',
  'fleetPage.offlineBoards': 'Offline',
  'fleetPage.commands': 'Commands, 24 h',
  'fleetPage.answered': '{all, number} sent, {expired, plural, =0 {all answered} other {# without an answer}}',
  'fleetPage.confirmed': 'Confirmed',
  'fleetPage.expired': 'No answer',
  'fleetPage.offline': 'Board offline',
  'fleetPage.p95': '95% within',
  'fleetPage.versions': 'Firmware versions',
  'fleetPage.noVersions': 'No board has told its version yet.',
  'fleetPage.boards': '{count, plural, one {# board} other {# boards}}'
} as const
