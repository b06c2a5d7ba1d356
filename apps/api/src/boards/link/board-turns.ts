import type { DeviceStatus } from '@batti/contracts'
import type { EventBus } from '../../platform/events.ts'
import type { Metrics } from '../../platform/http/metrics.ts'
import type { DeviceStore } from '../registry/device-store.ts'
import type { LiveDevice } from '../registry/live-device.ts'
import { withFields } from '../registry/state-updates.ts'

const lastSeenOf = ({ lastMessageAt, onlineChangedAt }: LiveDevice): number =>
  lastMessageAt === 0 ? onlineChangedAt : lastMessageAt

/** Turns boards online and offline: in memory, in the database and on the screens. */
export function createBoardTurns({
  store,
  events,
  metrics
}: {
  store: Pick<DeviceStore, 'setState'>
  events: EventBus
  metrics: Pick<Metrics, 'onlineDevices'>
}) {
  function save(device: LiveDevice): void {
    const { isOnline, onlineChangedAt } = device
    const lastSeen = new Date(lastSeenOf(device))
    const fields = { isOnline, onlineChangedAt: new Date(onlineChangedAt), lastSeen }
    store.setState(device.id, withFields(device.id, fields))
  }

  function notifyOnline({ id: deviceId, mac: deviceMac, userId }: LiveDevice, status?: DeviceStatus): void {
    events.emit('device-online', { deviceId, deviceMac, userId, ...(status === undefined ? {} : { status }) })
  }

  return {
    /** Stores whether the board is online. */
    save,
    /** Tells who waits for the board that it is online. `status`: its message, if it sent one. */
    notifyOnline,
    /** `isStored`: another instance has stored it. */
    turn(
      device: LiveDevice,
      isOnline: boolean,
      { at, status, isStored }: { at: number; status: DeviceStatus | undefined; isStored: boolean }
    ): void {
      if (device.isOnline !== isOnline) metrics.onlineDevices[isOnline ? 'inc' : 'dec']()
      Object.assign(device, { isOnline, onlineChangedAt: at, connectedAt: null })
      if (!isStored) save(device)
      if (isOnline) notifyOnline(device, status)
      const { id: deviceId, mac: deviceMac } = device
      const update = { isOnline, lastSeen: lastSeenOf(device), onlineChangedAt: at }
      events.emit('device-changed', { deviceId, deviceMac, update, at })
    }
  }
}
