import type { Outlet, SwitchSetting } from '@batti/contracts'

/** An outlet, its name, and the id of the Switch record that holds the name; '' where there is none. */
export interface NamedOutlet extends Outlet {
  readonly switchId: string
  readonly name: string
}

/**
 * A board as this process knows it: its last reported state, its owner and the names of its outlets. A cache in front of
 * the database, so that a command is authorized and answered without a query.
 */
export interface LiveDevice {
  readonly id: string
  readonly mac: string
  userId: string | null
  roomId: string | null
  deviceName: string
  setName: string
  timezone: string
  /** Never changed in place: a reference to the list is a snapshot of its time. */
  outlets: readonly NamedOutlet[]
  bootId: string
  seq: number
  /** Boots before the current one, newest first. Their reports never overwrite anything. */
  earlierBoots: string[]
  /** Counts the connections of the current boot, so that an old will never ends a newer connection. */
  conn: number
  /** When the state last changed, in milliseconds. */
  stateAt: number
  isOnline: boolean
  onlineChangedAt: number
  /** Since when it has been heard without a break; null where that is unknown: it came back, or was loaded from the database. */
  connectedAt: number | null
  lastMessageAt: number
  /** When it was last heard, on the monotonic clock; 0 when not yet. */
  heardAt: number
  /** When it was last asked for, on the monotonic clock. */
  usedAt: number
  /** The version and address that it last reported; '' when not yet. */
  osVersion: string
  localIp: string
  /** Signal in dBm; null when not reported yet. */
  wifiRSSI: number | null
  /** When the signal was last stored, on the monotonic clock. In between, memory is ahead of the database. */
  signalStoredAt: number
  configRev: number
  configConfirmedRev: number
  schedulesRev: number
  schedulesConfirmedRev: number
}

/**
 * Whether a report is newer than the known state: the higher number of one boot, and any report of a boot that is not known as an
 * earlier one.
 */
export const isNewerReport = (
  { bootId, seq }: Pick<LiveDevice, 'bootId' | 'seq'>,
  known: Pick<LiveDevice, 'bootId' | 'seq' | 'earlierBoots'>
): boolean => (bootId === known.bootId ? seq > known.seq : !known.earlierBoots.includes(bootId))

export const displayName = (device: Pick<LiveDevice, 'setName' | 'deviceName'>): string =>
  device.setName || device.deviceName

/** `gone`: the board was deleted, or changed its owner, while the command was pending. */
export type CommandResult = 'confirmed' | 'timeout' | 'expired' | 'failed' | 'gone'

/** How a command ended. `stored` resolves once the outcome and the resulting state are in the database. */
export interface CommandOutcome {
  result: CommandResult
  reason?: string
  stored: Promise<void>
}

export interface SentCommand {
  id: string
  /** Milliseconds since the epoch; the board ignores the command afterwards. */
  expiresAt: number
  ended: Promise<CommandOutcome>
}

export interface CommandRequest {
  device: LiveDevice
  set: SwitchSetting[]
}
