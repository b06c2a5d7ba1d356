import { queryKeys } from '../query-keys.ts'

/** The queries that a staff change to each kind of record affects: its list and page, others that name it, and the totals. */
export const staffViews = {
  users: [['users'], queryKeys.dashboard],
  monitors: [['monitors'], queryKeys.dashboard],
  deviceTypes: [['device-types'], queryKeys.dashboard],
  devices: [
    queryKeys.devices,
    ['device'],
    queryKeys.rooms,
    queryKeys.switches,
    queryKeys.favoriteSwitches,
    queryKeys.dashboard
  ],
  rooms: [queryKeys.rooms, queryKeys.devices, queryKeys.dashboard],
  switches: [queryKeys.switches, queryKeys.favoriteSwitches, queryKeys.dashboard],
  schedules: [queryKeys.schedules, queryKeys.dashboard],
  logs: [queryKeys.actionLogs, queryKeys.dashboard],
  firmwareFiles: [queryKeys.firmwareFiles, queryKeys.fleet, queryKeys.devices],
  rollouts: [queryKeys.rollouts, queryKeys.devices],
  unauthorizedLogs: [['unauthorized-logs'], queryKeys.dashboard]
} as const
