export const messages = {
  'staff.adminTitle': 'Admin Dashboard',
  'staff.monitorTitle': 'Monitor Dashboard',
  'staff.failed': 'Failed to load dashboard data',
  'staff.users': 'Users',
  'staff.monitors': 'Monitors',
  'staff.deviceTypes': 'Device types',
  'staff.unauthorizedLogs': 'Unauthorized logs',
  'staff.devices': 'Devices',
  'staff.onlineDevices': 'Online devices',
  'staff.switches': 'Switches',
  'staff.favoriteSwitches': 'Favorite switches',
  'staff.rooms': 'Rooms',
  'staff.schedules': 'Schedules',
  'staff.logs': 'Switch action history'
} as const
