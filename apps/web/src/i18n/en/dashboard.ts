export const messages = {
  'dashboard.title': 'Dashboard',
  'dashboard.refresh': 'Refresh',
  'dashboard.failed': 'Failed to load dashboard.',
  'dashboard.empty': 'No dashboard data available.',
  'dashboard.totalDevices': 'Total Devices',
  'dashboard.onlineDevices': 'Online Devices',
  'dashboard.totalSwitches': 'Total Switches',
  'dashboard.favoriteSwitches': 'Favorite Switches',
  'dashboard.totalRooms': 'Total Rooms',
  'dashboard.schedules': 'Schedules',
  'dashboard.switchState': 'Switch State',
  'dashboard.on': 'ON',
  'dashboard.off': 'OFF',
  'dashboard.unknown': 'Unknown',
  'dashboard.details': 'Favorite Switches',
  'dashboard.noFavorites': 'No favorite switches.',
  'dashboard.unnamed': 'Unnamed Switch'
} as const
