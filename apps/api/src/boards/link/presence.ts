import type { DeviceStatus } from '@batti/contracts'
import type { LiveDevice } from '../registry/live-device.ts'

export type Presence = Pick<LiveDevice, 'isOnline' | 'bootId' | 'earlierBoots' | 'conn'>

/**
 * What a `status` message (heartbeat, farewell or last will) makes of a board, or null when it says nothing new or
 * speaks for a connection that has been followed by a newer one.
 */
export function judgeStatus(device: Presence, status: DeviceStatus): 'online' | 'offline' | null {
  const isCurrentBoot = status.bootId === device.bootId
  if (device.earlierBoots.includes(status.bootId)) return null
  if (status.online) return device.isOnline ? null : 'online'
  // Before its first report a boot is unknown: its will then ends the only connection there is.
  if (isCurrentBoot && status.conn < device.conn) return null
  return device.isOnline ? 'offline' : null
}

/** A boot that nobody has heard of yet: the board was powered up again, and speaks before its first report. */
export const isNewBoot = (device: Presence, status: DeviceStatus): boolean =>
  status.online && status.bootId !== device.bootId && !device.earlierBoots.includes(status.bootId)
