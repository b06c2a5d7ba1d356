/** First parts of the query keys that more than one feature invalidates; a feature's own keys begin with its name. */
export const queryKeys = {
  devices: ['devices'],
  switches: ['switches'],
  favoriteSwitches: ['favorite-switches'],
  rooms: ['rooms'],
  schedules: ['schedules'],
  home: ['home'],
  dashboard: ['dashboard'],
  actionLogs: ['switch-action-logs'],
  onTimes: ['switch-on-times']
} as const

/** Lists that show a switch's name or heart. */
export const switchViews = [queryKeys.switches, queryKeys.favoriteSwitches, queryKeys.home, queryKeys.dashboard]

/** What is read from the action log. */
export const logViews = [queryKeys.actionLogs, queryKeys.onTimes]

/** Lists that show a room's name, or what stands in it. */
export const roomViews = [queryKeys.rooms, queryKeys.devices, ...switchViews]
