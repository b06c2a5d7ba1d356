import { outletsFromWire, type DeviceRecord, type SwitchUpdateEvent } from '@batti/contracts'
import type { QueryClient } from '@tanstack/react-query'
import type { Connection } from '#web/lib/socket/connection.ts'
import { applyRecord } from './apply-record.ts'
import { applySnapshot } from './apply-snapshot.ts'
import { applySwitchUpdate } from './apply-switch-update.ts'
import { applyUpdateFromDevice } from './apply-update-from-device.ts'
import type { Commander } from './commander.ts'
import type { DeviceLive } from './device-live.ts'

const rootKey = 'live-device'
export const liveDeviceKey = (mac: string) => [rootKey, mac] as const

export interface LiveDevicesDeps {
  queryClient: QueryClient
  connection: Connection
  commander: Commander
}

/** The boards' live state in the query cache, one entry per MAC, changed by the pure `apply-*` functions. */
export function createLiveDevices({ queryClient, connection, commander }: LiveDevicesDeps) {
  type Patch = (current: DeviceLive | undefined) => DeviceLive | undefined
  const patch = (mac: string, change: Patch) => void queryClient.setQueryData<DeviceLive>(liveDeviceKey(mac), change)

  function onSwitchUpdate(event: SwitchUpdateEvent) {
    patch(event.deviceMac, (current) => applySwitchUpdate(current, event))
    commander.reported(event.deviceMac, { outlets: outletsFromWire(event.update), commandId: event.commandId })
  }
  function onStatus() {
    const status = connection.getState()
    if (status === 'reconnecting' || status === 'lost') markAllStale()
  }
  function markAllStale() {
    queryClient.setQueriesData<DeviceLive>({ queryKey: [rootKey] }, (device) => device && { ...device, isFresh: false })
  }

  return {
    /** Starts following the connection. Returns the undo function. */
    start: () => {
      const undo = [
        connection.subscribe(onStatus),
        connection.on('switch-update', onSwitchUpdate),
        connection.on('update-from-device', (event) =>
          patch(event.deviceMac, (current) => applyUpdateFromDevice(current, event))
        ),
        connection.onSnapshot((snapshot) => {
          patch(snapshot.deviceMac, (current) => applySnapshot(current, snapshot))
          commander.reported(snapshot.deviceMac, { outlets: outletsFromWire(snapshot) })
        })
      ]
      return () => undo.forEach((run) => run())
    },
    /** Seeds the cache with records of a list or a detail call, where no event has been newer. */
    seed: (records: readonly DeviceRecord[]) => {
      const status = connection.getState()
      const isLive = status === 'live' || status === 'connecting'
      for (const record of records) patch(record.deviceMac, (current) => applyRecord(current, record, isLive))
    },
    /** Called after the page slept: marks all states as stale until new snapshots arrive. */
    wake: async () => {
      markAllStale()
      await connection.refresh()
    }
  }
}
export type LiveDevices = ReturnType<typeof createLiveDevices>
