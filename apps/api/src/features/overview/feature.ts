import type { PageQuery, RoomRecord, SwitchRecord } from '@batti/contracts'
import type { Boards } from '../../boards/boards.ts'
import type { Actor } from '../../platform/people/actor.ts'
import type { ListColumns } from '../../platform/store/lists/list-columns.ts'
import { createOverviewRepository } from './overview.repository.ts'
import { overviewRoutes } from './overview.routes.ts'
import { createOverviewService } from './overview.service.ts'

interface Counted {
  count(): Promise<number>
}

interface OverviewDeps {
  columns: Pick<ListColumns, 'settled'>
  boards: Pick<Boards, 'models' | 'directory'>
  people: { countUsers(): Promise<number>; countMonitors(): Promise<number> }
  rooms: {
    list(actor: Actor, query: PageQuery): Promise<{ rooms: RoomRecord[] }>
    count(userId?: string): Promise<number>
  }
  switches: { listFavorites(actor: Actor, query: PageQuery): Promise<{ switches: SwitchRecord[]; total: number }> }
  deviceTypes: Counted
  schedules?: Counted & { countOfUser(userId: string): Promise<number> }
  actionLogs?: Counted
  unauthorizedLogs?: Counted
}

const nothing: Counted = { count: () => Promise.resolve(0) }

/** The home screen and dashboard of each role. */
export function createOverviewFeature(deps: OverviewDeps) {
  const { columns, boards, people, rooms, switches, deviceTypes, schedules } = deps
  const counts = createOverviewRepository(boards.models)
  const overview = createOverviewService({
    directory: boards.directory,
    listFavorites: (actor, limit) => switches.listFavorites(actor, { limit }),
    listRooms: async (actor, limit) => (await rooms.list(actor, { limit })).rooms,
    countRoomsOf: rooms.count,
    countSchedulesOf: async (userId) => schedules?.countOfUser(userId) ?? 0,
    async countSwitchesOn() {
      // The column is written later, unless somebody asks for it.
      await columns.settled()
      return counts.countSwitchesOn()
    },
    totals: {
      totalUsers: people.countUsers,
      totalMonitors: people.countMonitors,
      totalDeviceTypes: deviceTypes.count,
      unauthorizedLogs: (deps.unauthorizedLogs ?? nothing).count,
      totalDevices: counts.countDevices,
      onlineDevices: counts.countOnlineDevices,
      totalSwitches: counts.countSwitches,
      favoriteSwitches: counts.countFavorites,
      totalRooms: () => rooms.count(),
      totalSchedules: (schedules ?? nothing).count,
      switchActionHistory: (deps.actionLogs ?? nothing).count
    }
  })
  return { routes: overviewRoutes({ overview }) }
}
