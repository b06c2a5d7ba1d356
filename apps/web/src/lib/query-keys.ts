/**
 * First parts of the query keys that more than one feature invalidates, and those that every page keeps up to date; a
 * feature's own keys begin with its name. Without the calls behind them, which a visitor's first page does not need.
 */
export const queryKeys = {
  devices: ['devices'],
  switches: ['switches'],
  mySwitches: ['switches', 'mine'],
  switchById: ['switches', 'by-id'],
  favoriteSwitches: ['favorite-switches'],
  rooms: ['rooms'],
  schedules: ['schedules'],
  home: ['home'],
  dashboard: ['dashboard'],
  actionLogs: ['switch-action-logs'],
  onTimes: ['switch-on-times'],
  firmwareFiles: ['firmware-files'],
  rollouts: ['rollouts'],
  fleet: ['fleet']
} as const

/** A page of a list of staff, below the key of what it lists. */
export const listKeyOf = (root: readonly string[]) => [...root, 'list'] as const

/** Lists that show a switch's name or heart. */
export const switchViews = [queryKeys.switches, queryKeys.favoriteSwitches, queryKeys.home, queryKeys.dashboard]

/** What is read from the action log. */
export const logViews = [queryKeys.actionLogs, queryKeys.onTimes]

/** Lists that show a room's name, or what stands in it. */
export const roomViews = [queryKeys.rooms, queryKeys.devices, ...switchViews]
