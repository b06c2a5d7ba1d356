import type { Boards } from '../../boards/boards.ts'
import { auditSubject, type Audit } from '../../platform/audit.ts'
import type { Platform } from '../../platform/platform.ts'
import type { ListColumns } from '../../platform/store/lists/list-columns.ts'
import { ensureIndexes } from '../../platform/store/ensure-indexes.ts'
import { createRoomDevices } from './room-devices.ts'
import { createRoomModel, type RoomDocument } from './room.model.ts'
import { createRoomsRepository } from './rooms.repository.ts'
import { roomRoutes } from './rooms.routes.ts'
import { createRoomsService, type RoomsOptions } from './rooms.service.ts'

interface RoomsDeps extends Pick<Platform, 'config' | 'connection' | 'inTransaction' | 'clock' | 'events'> {
  audit: Audit
  columns: ListColumns
  boards: Pick<Boards, 'models' | 'directory'>
  people: {
    findPeople: RoomsOptions['findPeople']
    claimHome: RoomsOptions['claimOwner']
  }
  accounts: { onErase(step: (userId: string) => Promise<void>): void }
}

/** The rooms that boards are in. */
export function createRoomsFeature(deps: RoomsDeps) {
  const { config, connection, clock, events, audit, boards, people, accounts, columns } = deps
  const model = createRoomModel(connection)
  const { directory } = boards
  const rooms = createRoomsService({
    rooms: createRoomsRepository(model, columns),
    roomsMax: config.LIMIT_ROOMS,
    directory,
    ...createRoomDevices({ devices: boards.models.devices, columns, directory, events, clock }),
    findPeople: people.findPeople,
    claimOwner: people.claimHome,
    inTransaction: deps.inTransaction
  })
  accounts.onErase(rooms.deleteOfUser)

  return {
    routes: roomRoutes({
      rooms,
      audit,
      find: auditSubject(
        (id) => model.findById(id).lean<RoomDocument>(),
        (room) => room.roomName
      )
    }),
    list: rooms.list,
    findRooms: rooms.findRooms,
    count: rooms.count,
    countByUser: rooms.countByUser,
    searchIds: rooms.searchIds,
    indexes: () => ensureIndexes(model)
  }
}
