import type { RoomRecord } from '@batti/contracts'
import type { LiveDevice } from '../../boards/registry/live-device.ts'
import type { RoomDocument } from './room.model.ts'

/** Presents a room for HTTP; `devices` are the boards in it. */
export function presentRoom(room: RoomDocument, devices: readonly LiveDevice[]): RoomRecord {
  return {
    _id: String(room._id),
    roomName: room.roomName,
    deviceCount: devices.length,
    onlineCount: devices.filter(({ isOnline }) => isOnline).length,
    onCount: devices.reduce((sum, device) => sum + device.outlets.filter(({ on }) => on).length, 0),
    userId: String(room.userId),
    createdAt: room.createdAt.toISOString()
  }
}
