import { queryKeys } from './query-keys.ts'

/** What a change of staff to one kind of record may show in: its own list, others that name it, and the totals. */
export const staffViews = {
  users: [['users'], queryKeys.dashboard],
  monitors: [['monitors'], queryKeys.dashboard],
  deviceTypes: [['device-types'], queryKeys.dashboard],
  devices: [queryKeys.devices, queryKeys.rooms, queryKeys.switches, queryKeys.favoriteSwitches, queryKeys.dashboard],
  rooms: [queryKeys.rooms, queryKeys.devices, queryKeys.dashboard],
  switches: [queryKeys.switches, queryKeys.favoriteSwitches, queryKeys.dashboard],
  schedules: [queryKeys.schedules, queryKeys.dashboard],
  logs: [queryKeys.actionLogs, queryKeys.dashboard],
  firmwareFiles: [queryKeys.firmwareFiles, queryKeys.fleet, queryKeys.devices],
  rollouts: [queryKeys.rollouts, queryKeys.devices],
  unauthorizedLogs: [['unauthorized-logs'], queryKeys.dashboard]
} as const
