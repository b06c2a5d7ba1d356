import type { Model } from 'mongoose'
import type { DeviceDocument } from '../../boards/registry/device.model.ts'
import type { BoardCopiesOptions } from './board-copies.ts'

/** The revision of each board's own copy of its schedules; null when the board is gone. */
export function createBoardRevisions(
  devices: Model<DeviceDocument>,
  refreshLive: (deviceId: string) => Promise<unknown>
): Pick<BoardCopiesOptions, 'raiseRevision' | 'readRevision'> {
  return {
    async raiseRevision(deviceId) {
      const device = await devices
        .findByIdAndUpdate(deviceId, { $inc: { schedulesRev: 1 } }, { returnDocument: 'after' })
        .lean<DeviceDocument>()
      if (device === null) return null
      await refreshLive(deviceId)
      return { rev: device.schedulesRev, timezone: device.timezone }
    },
    async readRevision(deviceId) {
      const device = await devices.findById(deviceId).lean<DeviceDocument>()
      return device === null ? null : { rev: device.schedulesRev, timezone: device.timezone }
    }
  }
}
