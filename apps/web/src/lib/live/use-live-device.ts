import type { DeviceRecord } from '@batti/contracts'
import { skipToken, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { useDeviceCommands, useServices } from '#web/lib/services.ts'
import { applyRecord } from './apply-record.ts'
import type { DeviceLive } from './device-live.ts'
import { isInstalling, useDeviceUpdate } from './device-update.ts'
import { liveDeviceKey } from './live-devices.ts'
import { viewOutlet, type OutletView } from './outlet-view.ts'

/** A board's live state, or undefined before anything is known of it. Joins its room: once per MAC, again after a reconnection. */
export function useLiveState(mac: string): DeviceLive | undefined {
  const { connection } = useServices()
  const { data } = useQuery<DeviceLive>({ queryKey: liveDeviceKey(mac), queryFn: skipToken })
  useEffect(() => connection.join(mac), [connection, mac])
  return data
}

/** A board of a list with its live state and every outlet as it is to be drawn. */
export function useLiveDevice(record: DeviceRecord): { live: DeviceLive; outlets: OutletView[] } {
  const known = useLiveState(record.deviceMac)
  const commands = useDeviceCommands(record.deviceMac)
  // Until the list has been seeded into the cache (one effect later), the record itself, not yet fresh.
  const live = known ?? applyRecord(undefined, record, false)
  const isBetween = isInstalling(useDeviceUpdate(record.deviceMac, record.firmware))
  const outlets = useMemo(
    () => live.outlets.map((_, index) => viewOutlet(live, index, commands[index], isBetween)),
    [live, commands, isBetween]
  )
  return { live, outlets }
}

/** One outlet by its board and index, for cards of single switches; undefined before its board is known. */
export function useLiveOutlet(mac: string, index: number): OutletView | undefined {
  const live = useLiveState(mac)
  const commands = useDeviceCommands(mac)
  const isBetween = isInstalling(useDeviceUpdate(mac))
  return useMemo(() => live && viewOutlet(live, index, commands[index], isBetween), [live, index, commands, isBetween])
}
