import type { DeviceRecord } from '@batti/contracts'
import { skipToken, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { useDeviceCommands, useServices, useUser } from '#web/lib/services.ts'
import { maySeeFleet } from '#web/lib/session/session-user.ts'
import { applyRecord } from './apply-record.ts'
import type { DeviceLive } from './device-live.ts'
import { isInstalling, useDeviceUpdate } from './device-update.ts'
import { liveDeviceKey } from './live-devices.ts'
import { viewOutlet, type OutletView } from './outlet-view.ts'

/** Returns a board's live state, or undefined before it is known. Joins its room, and again after each reconnection. */
export function useLiveState(mac: string): DeviceLive | undefined {
  const { connection } = useServices()
  const { data } = useQuery<DeviceLive>({ queryKey: liveDeviceKey(mac), queryFn: skipToken })
  const user = useUser()
  // The room of a board that was moved is left and its state dropped. Staff still see it; its former owner would be refused.
  const joinsAgain = data === undefined && user !== null && maySeeFleet(user)
  useEffect(() => connection.join(mac), [connection, mac])
  useEffect(() => (joinsAgain ? connection.join(mac) : undefined), [connection, mac, joinsAgain])
  return data
}

/** Returns the live state of a listed board and the view of each outlet. */
export function useLiveDevice(record: DeviceRecord): { live: DeviceLive; outlets: OutletView[] } {
  const known = useLiveState(record.deviceMac)
  const commands = useDeviceCommands(record.deviceMac)
  // Until an effect has seeded the cache, the record itself is used, as not fresh.
  const live = known ?? applyRecord(undefined, record, false)
  const isBetween = isInstalling(useDeviceUpdate(record.deviceMac, record.firmware))
  const outlets = useMemo(
    () => live.outlets.map((_, index) => viewOutlet(live, index, commands[index], isBetween)),
    [live, commands, isBetween]
  )
  return { live, outlets }
}

/** Returns the view of one outlet, for cards of single switches; undefined before its board is known. */
export function useLiveOutlet(mac: string, index: number): OutletView | undefined {
  const live = useLiveState(mac)
  const commands = useDeviceCommands(mac)
  const isBetween = isInstalling(useDeviceUpdate(mac, live?.firmware))
  return useMemo(() => live && viewOutlet(live, index, commands[index], isBetween), [live, index, commands, isBetween])
}
