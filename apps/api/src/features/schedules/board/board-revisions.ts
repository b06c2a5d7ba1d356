import type { Model } from 'mongoose'
import { incrementRevision } from '../../../boards/registry/increment-revision.ts'
import type { DeviceDocument } from '../../../boards/registry/device.model.ts'
import type { BoardCopiesOptions } from './board-copies.ts'

/** The revision of each board's schedule list; null when the board is gone. */
export function createBoardRevisions(
  devices: Model<DeviceDocument>,
  refreshLive: (deviceId: string) => Promise<unknown>
): Pick<BoardCopiesOptions, 'raiseRevision' | 'readRevision'> {
  const raiseRevision: BoardCopiesOptions['raiseRevision'] = async (deviceId) => {
    const device = await devices
      .findByIdAndUpdate(deviceId, incrementRevision('schedules'), { returnDocument: 'after', updatePipeline: true })
      .lean<DeviceDocument>()
    if (device === null) return null
    await refreshLive(deviceId)
    return { rev: device.schedulesRev, timezone: device.timezone }
  }

  return {
    raiseRevision,
    /** Raises the revision above the board's own if necessary, because a board ignores a lower one. */
    async readRevision(deviceId) {
      const device = await devices.findById(deviceId).lean<DeviceDocument>()
      if (device === null) return null
      if (device.schedulesConfirmedRev > device.schedulesRev) return raiseRevision(deviceId)
      return { rev: device.schedulesRev, timezone: device.timezone }
    }
  }
}
