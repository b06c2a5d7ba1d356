import type { SwitchSetting } from '@batti/contracts'

export type OutletType = 'switch' | 'fan' | 'socket'

/** What people call an outlet, and the Switch record that holds it. */
export interface Outlet {
  switchId: string
  name: string
  type: OutletType
}

/**
 * A board as this process knows it: what the board itself last reported, who owns it and what its outlets are called.
 * The memory in front of the database, so that a tap is authorized and answered without asking it.
 */
export interface LiveDevice {
  readonly id: string
  readonly mac: string
  userId: string | null
  roomId: string | null
  deviceName: string
  setName: string
  timezone: string
  switch: boolean[]
  speed: number[]
  fanIndexes: number[]
  socketIndexes: number[]
  outlets: Outlet[]
  bootId: string
  seq: number
  /** Boots before the current one, newest first: a report of theirs never overwrites anything. */
  earlierBoots: string[]
  /** Counts the connections of the current boot, so that an old will never ends a new connection. */
  conn: number
  /** When the state last changed hands, milliseconds. */
  stateAt: number
  isOnline: boolean
  onlineChangedAt: number
  lastMessageAt: number
  configRev: number
  configConfirmedRev: number
  schedulesRev: number
  schedulesConfirmedRev: number
}

export const outletTypeOf = (device: Pick<LiveDevice, 'fanIndexes' | 'socketIndexes'>, index: number): OutletType =>
  device.fanIndexes.includes(index) ? 'fan' : device.socketIndexes.includes(index) ? 'socket' : 'switch'

export const displayName = (device: Pick<LiveDevice, 'setName' | 'deviceName'>): string =>
  device.setName || device.deviceName

export type CommandResult = 'confirmed' | 'timeout' | 'expired' | 'failed'

/** How a command ended. `stored` resolves once that, and the state it led to, are in the database. */
export interface CommandOutcome {
  result: CommandResult
  reason?: string
  stored: Promise<void>
}

export interface SentCommand {
  id: string
  /** Milliseconds since the epoch; the board ignores the command after it. */
  expiresAt: number
  ended: Promise<CommandOutcome>
}

export interface CommandRequest {
  device: LiveDevice
  set: SwitchSetting[]
}
