/**
 * Prefixes of the query keys that several features invalidate, or that every page keeps up to date; a feature's own
 * keys begin with its name. The calls are elsewhere, as a first page does not need them.
 */
export const queryKeys = {
  account: ['account'],
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

/** Key of a page of a staff list, below the key of its records. */
export const listKeyOf = (root: readonly string[]) => [...root, 'list'] as const

/** Queries that show a switch's name or whether it is a favourite. */
export const switchViews = [queryKeys.switches, queryKeys.favoriteSwitches, queryKeys.home, queryKeys.dashboard]

/** Queries derived from the action log. */
export const logViews = [queryKeys.actionLogs, queryKeys.onTimes]

/** Queries that show a room's name or its boards. */
export const roomViews = [queryKeys.rooms, queryKeys.devices, ...switchViews]
