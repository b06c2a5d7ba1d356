export const messages = {
  'rooms.title': 'Room Stats',
  'rooms.add': 'Add Room',
  'rooms.editNamed': 'Edit {name}',
  'rooms.deleteNamed': 'Delete {name}',
  'rooms.deviceCount': '{count, plural, =0 {No devices} one {# device} other {# devices}}',
  'rooms.onlineCount': '{count, plural, =0 {none online} other {# online}}',
  'rooms.onCount': '{count, plural, =0 {All off} other {# on}}',
  'rooms.unknown': 'Unknown',
  'rooms.noAnswer': 'No answer',
  'rooms.unknownCount': '{count, number} unknown',
  'rooms.none': 'No rooms found',
  'rooms.noneHint': 'Rooms put your boards where you look for them.',
  'rooms.failed': 'Failed to fetch rooms',
  'rooms.noDevices': 'No devices',
  'rooms.noDevicesHint': 'Open a board under My Devices, choose Edit, and assign it to this room.',
  'rooms.toDevices': 'My Devices',
  'rooms.devicesFailed': 'Failed to load devices for this room'
} as const
