import type { FirmwareProgress, SetupForm } from '@batti/contracts'
import type { BoardType } from '@batti/contracts/board-types'
import type { BoardHouse } from './board-house.ts'
import type { BoardPhase } from './board-view.ts'
import type { DeviceEvent, DeviceState } from '../device/device-state.ts'
import type { Faults } from './faults.ts'
import type { FlashRecord } from './flash-record.ts'
import type { Flash } from './flash.ts'
import type { History } from './history.ts'

export interface PowerUpParts {
  house: BoardHouse
  model: BoardType
  flash: Flash
  faults: Faults
  history: History
  localIp: string
  /** How long joining a Wi-Fi takes, milliseconds. */
  joinMs: number
  newId: (length: number) => string
  changed: () => void
  firmwareProgress: (progress: FirmwareProgress) => void
  /** The board restarts itself. */
  reboot: () => void
  /** Its power is cut, and comes back. */
  cutPower: () => void
  /** An update went through, after which something is wrong, on purpose. */
  spoil: (fault: 'silent' | 'slower') => void
}

/** One board from the moment its power comes on until it goes; nothing of it but the flash survives. */
export interface PowerUp {
  status(): { phase: BoardPhase; detail: string | null; notice: string | null; setupEndsAt: number | null }
  /** Null while it boots. */
  device(): DeviceState | null
  record(): FlashRecord
  /** Takes what the setup form said, once. False outside setup mode. */
  configure(form: SetupForm): boolean
  dispatch(event: DeviceEvent): void
  /** The Wi-Fi went or came back. */
  networkChanged(): void
  /** Power cut: no good-byes. */
  cut(): void
  /** Goes down in order. */
  stop(): Promise<void>
}
