import type { DeviceDocument } from '../../boards/registry/device.model.ts'
import { afterCommit } from '../../platform/after-commit.ts'
import { notFound } from '../../platform/app-error.ts'
import type { DevicesOptions } from './devices.options.ts'

type ReleaseOptions = Pick<
  DevicesOptions,
  | 'devices'
  | 'events'
  | 'createSwitches'
  | 'deleteSwitches'
  | 'onReleased'
  | 'forgetLive'
  | 'closeConnection'
  | 'inTransaction'
>

/** How a board leaves its owner: its credentials die, its connection ends, and what was kept of it goes. */
export function createDeviceRelease(options: ReleaseOptions) {
  const { devices, events } = options

  function notifyReleased({ _id, deviceMac, userId }: DeviceDocument, reason: 'deleted' | 'moved'): void {
    events.emit('device-released', {
      deviceId: String(_id),
      deviceMac,
      userId: userId === null ? null : String(userId),
      reason
    })
  }

  /** All of it or nothing: the board that is half gone could not be deleted again. */
  const release = (document: DeviceDocument): Promise<void> =>
    options.inTransaction(async () => {
      const id = String(document._id)
      if (!(await devices.delete(id))) throw notFound('Device')
      // Its schedules last: none is given to a switch that is gone.
      await options.deleteSwitches(id)
      await options.onReleased(id)
      afterCommit(() => options.forgetLive(id))
      afterCommit(() => options.closeConnection(id))
      notifyReleased(document, 'deleted')
    })

  return {
    release,
    /** Everything a leaving account owned. */
    async releaseAllOf(userId: string): Promise<void> {
      for (const document of await devices.findAllOfUser(userId)) await release(document)
    },
    /** A board that moved to another owner: what the old one could do with it ends now. */
    async endOldOwner(document: DeviceDocument): Promise<void> {
      const id = String(document._id)
      await options.onReleased(id)
      // Names and favourites were the old owner's.
      await options.deleteSwitches(id)
      await options.createSwitches(document)
      afterCommit(() => options.closeConnection(id))
      notifyReleased(document, 'moved')
    }
  }
}
export type DeviceRelease = ReturnType<typeof createDeviceRelease>
