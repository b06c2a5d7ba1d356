import type { DeviceStatus } from '@batti/contracts'
import type { LiveDevice } from '../registry/live-device.ts'

export type Presence = Pick<LiveDevice, 'isOnline' | 'bootId' | 'earlierBoots' | 'conn'>

/**
 * Judges a `status` message (heartbeat, farewell or last will). Returns null when it says nothing new, or belongs to a
 * connection that a newer one has replaced.
 */
export function judgeStatus(device: Presence, status: DeviceStatus): 'online' | 'offline' | null {
  const isCurrentBoot = status.bootId === device.bootId
  if (device.earlierBoots.includes(status.bootId)) return null
  if (status.online) return device.isOnline ? null : 'online'
  // An unknown boot has not reported yet, so its will ends the only connection there is.
  if (isCurrentBoot && status.conn < device.conn) return null
  return device.isOnline ? 'offline' : null
}

/** Whether the status is from an unknown boot: the board was powered up again and has not reported yet. */
export const isNewBoot = (device: Presence, status: DeviceStatus): boolean =>
  status.online && status.bootId !== device.bootId && !device.earlierBoots.includes(status.bootId)

/** Whether a message is of an earlier boot or connection than the known one. */
export const isOfEarlierConnection = (
  { bootId, conn }: Pick<Presence, 'bootId' | 'conn'>,
  known: Omit<Presence, 'isOnline'>
): boolean => known.earlierBoots.includes(bootId) || (bootId === known.bootId && conn < known.conn)
