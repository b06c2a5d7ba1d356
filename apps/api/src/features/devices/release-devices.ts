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

/** Releases a board from its owner: ends its credentials and connection, and removes what was kept of it. */
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

  /** In one transaction: a half-deleted board could not be deleted again. */
  const release = (document: DeviceDocument): Promise<void> =>
    options.inTransaction(async () => {
      const id = String(document._id)
      if (!(await devices.delete(id))) throw notFound('Device')
      // Schedules are removed last, so that none can be created for a deleted switch.
      await options.deleteSwitches(id)
      await options.onReleased(id)
      afterCommit(() => options.forgetLive(id))
      afterCommit(() => options.closeConnection(id))
      notifyReleased(document, 'deleted')
    })

  return {
    release,
    /** Releases everything that a deleted account owned. */
    async releaseAllOf(userId: string): Promise<void> {
      for (const document of await devices.findAllOfUser(userId)) await release(document)
    },
    /** Ends all access of the previous owner after a board has moved to another one. */
    async endOldOwner(document: DeviceDocument): Promise<void> {
      const id = String(document._id)
      await options.onReleased(id)
      // Names and favourites belonged to the previous owner.
      await options.deleteSwitches(id)
      await options.createSwitches(document)
      afterCommit(() => options.closeConnection(id))
      notifyReleased(document, 'moved')
    }
  }
}
export type DeviceRelease = ReturnType<typeof createDeviceRelease>
