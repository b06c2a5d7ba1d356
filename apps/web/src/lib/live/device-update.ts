import type { DeviceFirmware, FirmwareProgressEvent, UpdatePhase } from '@batti/contracts'
import { skipToken, useQuery } from '@tanstack/react-query'

/** How far a board is with new firmware, as events tell it; the record of the board knows it before the first one. */
export type DeviceUpdate = Omit<FirmwareProgressEvent, 'deviceMac'>

export const deviceUpdateKey = (mac: string) => ['device-update', mac] as const

const underWay: ReadonlySet<UpdatePhase> = new Set(['sent', 'download', 'verify', 'install', 'reboot', 'proving'])
export const isUnderWay = ({ phase }: Pick<DeviceUpdate, 'phase'>): boolean => underWay.has(phase)

/** Between two versions a board takes no commands. */
export const isInstalling = (update: Pick<DeviceUpdate, 'phase'> | null): boolean =>
  update !== null && (update.phase === 'install' || update.phase === 'reboot')

/** What a page shows: the newest that was told, unless that has ended and the record names another update. */
export function newestUpdate(
  incoming: DeviceUpdate | undefined,
  known: DeviceFirmware | null | undefined
): DeviceUpdate | null {
  if (incoming === undefined) return known ?? null
  return known !== null && known !== undefined && known.id !== incoming.id && !isUnderWay(incoming) ? known : incoming
}

/** A board's update; ended ones stay until the page is left. Null where there is none. */
export function useDeviceUpdate(mac: string, known?: DeviceFirmware | null): DeviceUpdate | null {
  const { data } = useQuery<DeviceUpdate>({ queryKey: deviceUpdateKey(mac), queryFn: skipToken })
  return newestUpdate(data, known)
}
