import type { Clock } from '@batti/kit/clock'
import type { EventBus } from '../../platform/events.ts'
import type { CommandSwitches } from '../../boards/commands/command-switches.ts'
import type { DeviceDirectory } from '../../boards/registry/device-directory.ts'
import type { SwitchesRepository } from './switches.repository.ts'

export interface SwitchesOptions {
  switches: SwitchesRepository
  directory: DeviceDirectory
  commandSwitches: CommandSwitches
  /** Per account over HTTP; 0 turns the limit off. */
  commandsPerSecond: number
  /** The longest that the caller of a command waits for a slow or full database; the state is stored later. */
  storedWithinMs: number
  clock: Clock
  events: EventBus
  refreshLive(deviceId: string): Promise<unknown>
  findRooms(ids: readonly string[]): Promise<Map<string, { _id: string; roomName: string }>>
  /** Returns boards of the whole installation whose name matches, for the search by staff. */
  findDeviceIdsByName(search: string): Promise<string[] | null>
  /** Removes what other features keep of a switch. */
  onRemoved(switchId: string): Promise<void>
  onMoved(move: MovedSwitch): Promise<void>
}

/** A switch that was moved to another outlet of its board. */
export interface MovedSwitch {
  switchId: string
  deviceId: string
  index: number
}
