import type { DeviceFirmware, FirmwareProgressEvent, UpdatePhase } from '@batti/contracts'
import { skipToken, useQuery } from '@tanstack/react-query'

/** A board's firmware progress from events; the board's record has the state before the first event. */
export type DeviceUpdate = Omit<FirmwareProgressEvent, 'deviceMac'>

export const deviceUpdateKey = (mac: string) => ['device-update', mac] as const

const underWay: ReadonlySet<UpdatePhase> = new Set(['sent', 'download', 'verify', 'install', 'reboot', 'proving'])
export const isUnderWay = ({ phase }: Pick<DeviceUpdate, 'phase'>): boolean => underWay.has(phase)

/** A board takes no commands between two versions. */
export const isInstalling = (update: Pick<DeviceUpdate, 'phase'> | null): boolean =>
  update !== null && (update.phase === 'install' || update.phase === 'reboot')

/** Returns the update to show: that of the latest event, unless it has ended and the record has another update. */
export function newestUpdate(
  incoming: DeviceUpdate | undefined,
  known: DeviceFirmware | null | undefined
): DeviceUpdate | null {
  if (incoming === undefined) return known ?? null
  return known !== null && known !== undefined && known.id !== incoming.id && !isUnderWay(incoming) ? known : incoming
}

/** Returns a board's update, or null. Ended ones stay until the page is left. */
export function useDeviceUpdate(mac: string, known?: DeviceFirmware | null): DeviceUpdate | null {
  const { data } = useQuery<DeviceUpdate>({ queryKey: deviceUpdateKey(mac), queryFn: skipToken })
  return newestUpdate(data, known)
}
