import type { Model } from 'mongoose'
import type { Clock } from '@batti/kit/clock'
import type { EventBus } from '../../platform/events.ts'
import type { DeviceDocument } from '../../boards/registry/device.model.ts'
import type { ListColumns } from '../../platform/store/lists/list-columns.ts'
import type { RoomsOptions, RoomSummary } from './rooms.service.ts'
import type { DeviceRegistry } from '../../boards/registry/device-registry.ts'
import type { LiveDevice } from '../../boards/registry/live-device.ts'

interface RoomDevicesParts {
  devices: Model<DeviceDocument>
  columns: ListColumns
  directory: Pick<DeviceRegistry, 'findMany' | 'refresh'>
  events: EventBus
  clock: Clock
}

/** What rooms need of boards: which are in which room, and moving them. */
export function createRoomDevices(
  parts: RoomDevicesParts
): Pick<RoomsOptions, 'findDevicesInRooms' | 'moveDevices' | 'announceRoom'> {
  const { devices, columns, directory, events, clock } = parts

  async function findDevicesInRooms(roomIds: readonly string[]): Promise<LiveDevice[]> {
    const standing = await devices.find({ setRoom: { $in: roomIds } }, { _id: 1 }).lean<Pick<DeviceDocument, '_id'>[]>()
    return [...(await directory.findMany(standing.map(({ _id }) => String(_id)))).values()]
  }

  function notifyMoved(moved: readonly LiveDevice[], setRoom: RoomSummary | null): void {
    for (const { id, mac } of moved) {
      events.emit('device-edited', { deviceId: id, deviceMac: mac, update: { setRoom }, at: clock.now() })
    }
  }

  return {
    findDevicesInRooms,
    async moveDevices(fromRoomId, to) {
      const moving = await findDevicesInRooms([fromRoomId])
      if (moving.length === 0) return
      // By room instead of by id, so that a board that was moved meanwhile stays where it is.
      await devices.updateMany({ setRoom: fromRoomId }, { $set: { setRoom: to?._id ?? null } })
      await columns.boardsChanged({ ids: moving.map(({ id }) => id) }, [{ userId: null, setRoom: fromRoomId }])
      for (const { id } of moving) await directory.refresh(id)
      notifyMoved(moving, to)
    },
    async announceRoom(room) {
      notifyMoved(await findDevicesInRooms([room._id]), room)
    }
  }
}
