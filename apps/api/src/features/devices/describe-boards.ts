import type { DeviceUpdateEvent } from '@batti/contracts'
import type { BoardModels } from '../../boards/board-models.ts'
import type { DeviceDocument } from '../../boards/registry/device.model.ts'
import type { LiveDevice } from '../../boards/registry/live-device.ts'
import type { SwitchDocument } from '../../boards/registry/switch.model.ts'
import { notifiedFields } from './change-device.ts'
import type { DevicesOptions } from './devices.options.ts'

type Update = DeviceUpdateEvent['update']
type Favorites = Pick<SwitchDocument, 'deviceId' | 'switchIndex' | 'isFavorite'>

/** Describes everything about boards except their outlet states, for screens that may have missed events. */
export function createDescribeBoards(options: {
  models: Pick<BoardModels, 'devices' | 'switches'>
  findRooms: DevicesOptions['findRooms']
}): (live: readonly LiveDevice[]) => Promise<Map<string, Update>> {
  const { devices, switches } = options.models

  async function roomsOf(documents: readonly DeviceDocument[]) {
    const ids = documents.flatMap(({ setRoom }) => (setRoom === null ? [] : [String(setRoom)]))
    return options.findRooms([...new Set(ids)])
  }

  async function favoritesOf(documents: readonly DeviceDocument[]): Promise<Map<string, Favorites[]>> {
    const found = await switches
      .find({ deviceId: { $in: documents.map(({ _id }) => _id) } }, { deviceId: 1, switchIndex: 1, isFavorite: 1 })
      .lean<Favorites[]>()
    return Map.groupBy(found, ({ deviceId }) => String(deviceId))
  }

  return async function describeBoards(live) {
    const documents = await devices.find({ _id: { $in: live.map(({ id }) => id) } }).lean<DeviceDocument[]>()
    const [rooms, favorites] = await Promise.all([roomsOf(documents), favoritesOf(documents)])
    const byId = new Map(documents.map((document) => [String(document._id), document]))
    return new Map(
      live.flatMap((device) => {
        const document = byId.get(device.id)
        if (document === undefined) return []
        const room = document.setRoom === null ? undefined : rooms.get(String(document.setRoom))
        return [
          [
            device.id,
            {
              ...reportedOf(device, document),
              ...settingsOf(document),
              setRoom: room === undefined ? null : { _id: room._id, roomName: room.roomName },
              switchNames: Object.fromEntries(device.outlets.map(({ name }, index) => [String(index), name])),
              switchFavorites: Object.fromEntries(
                (favorites.get(device.id) ?? []).map(({ switchIndex, isFavorite }) => [String(switchIndex), isFavorite])
              )
            }
          ] as const
        ]
      })
    )
  }
}

function reportedOf(device: LiveDevice, { lastSeen, localIp }: DeviceDocument): Update {
  const heardAt = device.lastMessageAt === 0 ? lastSeen?.getTime() : device.lastMessageAt
  return {
    isOnline: device.isOnline,
    ...(heardAt === undefined ? {} : { lastSeen: heardAt }),
    ...(device.wifiRSSI === null ? {} : { wifiRSSI: device.wifiRSSI }),
    localIp
  }
}

function settingsOf(document: DeviceDocument): Update {
  const { setName, activeColor, timezone, schedulesRev } = document
  const others = Object.fromEntries(notifiedFields.map((field) => [field, document[field]]))
  return { ...others, setName, activeColor, timezone, schedulesRev }
}
