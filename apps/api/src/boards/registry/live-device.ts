import type { Outlet, SwitchSetting } from '@batti/contracts'

/** An outlet, what people call it, and the Switch record that holds that; '' where there is none. */
export interface NamedOutlet extends Outlet {
  readonly switchId: string
  readonly name: string
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
  /** Never changed in place: who holds the list holds the state of that moment. */
  outlets: readonly NamedOutlet[]
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
  /** Since when it has been heard without a break; null where nobody knows: it came back, or was read from the database. */
  connectedAt: number | null
  lastMessageAt: number
  /** The same on the monotonic clock of this process; 0 when it has heard nothing yet. */
  heardAt: number
  /** When somebody last asked for it, by that clock. */
  usedAt: number
  /** Signal in dBm; null while it has not said. */
  wifiRSSI: number | null
  /** When the signal was last stored, by that clock: between, the memory is ahead of the database. */
  signalStoredAt: number
  configRev: number
  configConfirmedRev: number
  schedulesRev: number
  schedulesConfirmedRev: number
}

export const displayName = (device: Pick<LiveDevice, 'setName' | 'deviceName'>): string =>
  device.setName || device.deviceName

/** `gone`: the board was deleted, or became somebody else's, while it was waited for. */
export type CommandResult = 'confirmed' | 'timeout' | 'expired' | 'failed' | 'gone'

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
