import type { DeviceUpdateEvent } from '@batti/contracts'
import type { Model } from 'mongoose'
import type { DeviceDocument } from '../../boards/registry/device.model.ts'
import type { LiveDevice } from '../../boards/registry/live-device.ts'
import type { DevicesOptions } from './devices.options.ts'

/** Describes everything about boards except their outlet states, for screens that may have missed events. */
export function createDescribeBoards(options: {
  devices: Model<DeviceDocument>
  findRooms: DevicesOptions['findRooms']
}): (live: readonly LiveDevice[]) => Promise<Map<string, DeviceUpdateEvent['update']>> {
  return async function describeBoards(live) {
    const documents = await options.devices.find({ _id: { $in: live.map(({ id }) => id) } }).lean<DeviceDocument[]>()
    const rooms = await options.findRooms([
      ...new Set(documents.flatMap(({ setRoom }) => (setRoom === null ? [] : [String(setRoom)])))
    ])
    const byId = new Map(documents.map((document) => [String(document._id), document]))
    return new Map(
      live.flatMap((device) => {
        const document = byId.get(device.id)
        if (document === undefined) return []
        const room = document.setRoom === null ? undefined : rooms.get(String(document.setRoom))
        const heardAt = device.lastMessageAt === 0 ? document.lastSeen?.getTime() : device.lastMessageAt
        return [
          [
            device.id,
            {
              isOnline: device.isOnline,
              ...(heardAt === undefined ? {} : { lastSeen: heardAt }),
              ...(device.wifiRSSI === null ? {} : { wifiRSSI: device.wifiRSSI }),
              localIp: document.localIp,
              osVersion: document.osVersion,
              activeColor: document.activeColor,
              timezone: document.timezone,
              setName: document.setName,
              setRoom: room === undefined ? null : { _id: room._id, roomName: room.roomName },
              switchNames: Object.fromEntries(device.outlets.map(({ name }, index) => [String(index), name]))
            }
          ] as const
        ]
      })
    )
  }
}
