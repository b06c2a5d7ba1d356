import type { Connection } from 'mongoose'
import type { Logger } from 'pino'
import { isStaff, type Actor } from '../platform/people/actor.ts'
import type { Clock } from '../platform/clock.ts'
import type { DeviceLink } from '../boards/link/device-link.ts'
import type { EventBus } from '../platform/events.ts'
import { actionLogRoutes } from '../features/action-logs/action-logs.routes.ts'
import { createActionLogsRepository } from '../features/action-logs/action-logs.repository.ts'
import { createActionLogsService } from '../features/action-logs/action-logs.service.ts'
import { createOnTimesService } from '../features/action-logs/on-times.service.ts'
import { createDeviceTypesRepository } from '../features/device-types/device-types.repository.ts'
import { deviceTypeRoutes } from '../features/device-types/device-types.routes.ts'
import { createDeviceTypesService } from '../features/device-types/device-types.service.ts'
import { createDevicesRepository } from '../features/devices/devices.repository.ts'
import { overviewRoutes } from '../features/overview/overview.routes.ts'
import { createOverviewService } from '../features/overview/overview.service.ts'
import { createRoomModel } from '../features/rooms/room.model.ts'
import { createRoomsRepository } from '../features/rooms/rooms.repository.ts'
import { roomRoutes } from '../features/rooms/rooms.routes.ts'
import { createRoomsService } from '../features/rooms/rooms.service.ts'
import { scheduleRoutes } from '../features/schedules/schedules.routes.ts'
import { createSwitchesRepository } from '../features/switches/switches.repository.ts'
import { presentSwitch } from '../features/switches/switches.present.ts'
import type { UploadedFile } from '../platform/http/call.ts'
import { containsText, pageOf } from '../platform/paging.ts'
import type { composeDeviceLink, DeviceModels } from './devices.ts'
import { createRoomDevices } from './room-devices.ts'
import { composeSchedules } from './schedules.ts'

/** What the home half of the api is given. `models` and `deviceLink` are those of `compose/devices.ts`. */
export interface HomeParts {
  connection: Connection
  clock: Clock
  events: EventBus
  log: Logger
  models: Pick<DeviceModels, 'devices' | 'switches' | 'deviceTypes' | 'actionLogs'>
  deviceLink: Pick<ReturnType<typeof composeDeviceLink>, 'directory'> & {
    registry: { refresh(deviceId: string): Promise<unknown> }
    link: Pick<DeviceLink, 'send' | 'pushSchedules' | 'upSince'>
  }
  /** The zone that an account is set to; for boards without one. */
  findTimezone?(userId: string): Promise<string | null>
  /** Accounts by id; unknown ones are left out. */
  findPeople(ids: readonly string[]): Promise<Map<string, { name: string; phone?: string | null }>>
  /** Ids of people whose name, e-mail or phone contains the text; 100 at most. */
  searchPeople(text: string): Promise<string[]>
  /** Keeps an uploaded picture; answers its url. */
  storeImage(file: UploadedFile): Promise<string>
  removeImage(url: string): Promise<void>
  countUsers(): Promise<number>
  countMonitors(): Promise<number>
  countUnauthorizedLogs(): Promise<number>
}

/** Rooms, schedules, the action log, overviews and device types: everything of a home but its boards. */
export function composeHome(parts: HomeParts) {
  const { connection, clock, events, log, models } = parts
  const { directory, registry, link } = parts.deviceLink
  const roomModel = createRoomModel(connection)
  const switches = createSwitchesRepository(models.switches)
  const actionLogs = createActionLogsRepository(models.actionLogs)
  const typesRepository = createDeviceTypesRepository(models.deviceTypes)

  const rooms = createRoomsService({
    rooms: createRoomsRepository(roomModel),
    directory,
    events,
    ...createRoomDevices({ devices: models.devices, directory, registry, events, clock }),
    userExists: async (userId) => (await parts.findPeople([userId])).has(userId)
  })
  const logs = createActionLogsService({
    actionLogs,
    clock,
    findPeople: parts.findPeople,
    searchPeople: parts.searchPeople
  })
  const onTimes = createOnTimesService({
    actionLogs,
    directory,
    clock,
    deviceIdOfSwitch: async (switchId) => {
      const record = await switches.findById(switchId)
      return record === null ? null : String(record.deviceId)
    }
  })

  const timers = composeSchedules({
    connection,
    clock,
    events,
    log,
    directory,
    actionLogs,
    devices: models.devices,
    refreshLive: registry.refresh,
    link,
    findTimezone: parts.findTimezone ?? (() => Promise.resolve(null)),
    findDeviceIdsByName: createDevicesRepository(models.devices).findIdsByName,
    findSwitchIdsByName: (search) => findSwitchIdsByName(models.switches, search)
  })

  async function listFavorites(actor: Actor, limit?: number) {
    const own = isStaff(actor) ? {} : { deviceIds: (await directory.ofUser(actor.userId)).map(({ id }) => id) }
    const found = await switches.list({ ...own, isFavorite: true }, pageOf({ page: undefined, limit }))
    const devices = await directory.findMany([...new Set(found.switches.map(({ deviceId }) => String(deviceId)))])
    const roomIds = [...devices.values()].map(({ roomId }) => roomId).filter((id) => id !== null)
    const byId = await rooms.findRooms([...new Set(roomIds)])
    const records = found.switches.map((record) => {
      const device = devices.get(String(record.deviceId))
      const room = byId.get(device?.roomId ?? '')
      return presentSwitch(record, device, room === undefined ? null : { _id: room._id, roomName: room.roomName })
    })
    return { switches: records, total: found.total }
  }

  const overview = createOverviewService({
    directory,
    listFavorites,
    listRooms: async (actor, limit) => (await rooms.list(actor, { page: undefined, limit })).rooms,
    countRoomsOf: rooms.count,
    countSchedulesOf: timers.schedules.countOfUser,
    countSwitchesOn: () => countSwitchesOn(models.devices),
    totals: {
      totalUsers: parts.countUsers,
      totalMonitors: parts.countMonitors,
      totalDeviceTypes: typesRepository.count,
      unauthorizedLogs: parts.countUnauthorizedLogs,
      totalDevices: () => models.devices.estimatedDocumentCount(),
      onlineDevices: () => models.devices.countDocuments({ isOnline: true }),
      totalSwitches: () => models.switches.estimatedDocumentCount(),
      favoriteSwitches: () => switches.count({ isFavorite: true }),
      totalRooms: () => rooms.count(),
      totalSchedules: timers.schedules.count,
      switchActionHistory: actionLogs.count
    }
  })
  const deviceTypes = createDeviceTypesService<UploadedFile>({
    deviceTypes: typesRepository,
    countDevicesOfType: (deviceCode, hwModel) => models.devices.countDocuments({ deviceCode, hwModel }),
    storeImage: parts.storeImage,
    removeImage: parts.removeImage
  })

  return {
    handlers: [
      ...overviewRoutes({ overview }),
      ...roomRoutes({ rooms }),
      ...scheduleRoutes({ schedules: timers.schedules }),
      ...actionLogRoutes({ actionLogs: logs, onTimes }),
      ...deviceTypeRoutes({ deviceTypes })
    ],
    findRooms: rooms.findRooms,
    deleteSchedulesOfDevice: (deviceId: string): Promise<void> => timers.schedules.deleteOf({ deviceId }),
    deleteSchedulesOfSwitch: (switchId: string): Promise<void> => timers.schedules.deleteOf({ switchId }),
    /** For the Users table: boards, schedules and rooms of each account. */
    async countHomesOf(userIds: readonly string[]) {
      const counts = userIds.map(async (userId) => {
        const [deviceCount, scheduleCount, roomCount] = await Promise.all([
          models.devices.countDocuments({ userId }),
          timers.schedules.countOfUser(userId),
          rooms.count(userId)
        ])
        return [userId, { deviceCount, scheduleCount, roomCount }] as const
      })
      return new Map(await Promise.all(counts))
    },
    /** Rooms, schedules and log of a leaving account; its boards are released elsewhere. */
    async eraseOfUser(userId: string): Promise<void> {
      await timers.schedules.eraseOfUser(userId)
      await rooms.deleteOfUser(userId)
      await logs.eraseOfUser(userId)
    },
    async ensureIndexes(): Promise<void> {
      await Promise.all([roomModel.createIndexes(), timers.ensureIndexes()])
    },
    /** Fires what is due, now and from now on. */
    start: timers.start,
    stop: timers.stop,
    /** One look at what is due: for tests with a clock of their own. */
    runSchedules: timers.tick,
    /** Resolves when every result of a firing is stored. */
    settled: timers.settled
  }
}

async function findSwitchIdsByName(switches: DeviceModels['switches'], search: string): Promise<string[]> {
  const found = await switches
    .find({ switchName: containsText(search) }, { _id: 1 })
    .limit(1000)
    .lean()
  return found.map(({ _id }) => String(_id))
}

/** Outlets of the whole installation that are on, as their boards last said. */
async function countSwitchesOn(devices: DeviceModels['devices']): Promise<number> {
  const [row] = await devices.aggregate<{ on: number }>([
    { $match: { switch: true } },
    {
      $group: {
        _id: null,
        on: { $sum: { $size: { $filter: { input: '$switch', as: 'isOn', cond: '$$isOn' } } } }
      }
    }
  ])
  return row?.on ?? 0
}
