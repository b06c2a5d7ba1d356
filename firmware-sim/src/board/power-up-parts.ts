import type { FirmwareProgress, SetupForm } from '@batti/contracts'
import type { BoardType } from '@batti/contracts/board-types'
import type { SharedResources } from './shared-resources.ts'
import type { BoardPhase } from './board-view.ts'
import type { DeviceEvent, DeviceState } from '../device/device-state.ts'
import type { Faults } from './faults.ts'
import type { FlashRecord } from './flash-record.ts'
import type { Flash } from './flash.ts'
import type { History } from './history.ts'

export interface PowerUpParts {
  shared: SharedResources
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
  /** Restarts the board by software. */
  reboot: () => void
  /** Cuts the power and restores it. */
  cutPower: () => void
  /** Injects the fault that follows a successful update. */
  spoil: (fault: 'silent' | 'slower') => void
}

/** One board from power-on to power-off. Only the flash survives it. */
export interface PowerUp {
  status(): { phase: BoardPhase; detail: string | null; notice: string | null; setupEndsAt: number | null }
  /** Null while the board boots. */
  device(): DeviceState | null
  record(): FlashRecord
  /** Accepts the setup form, once. Returns false outside setup mode. */
  configure(form: SetupForm): boolean
  dispatch(event: DeviceEvent): void
  /** Call this when the Wi-Fi was lost or came back. */
  networkChanged(): void
  /** Cuts the power without a farewell message. */
  cut(): void
  /** Shuts down cleanly. */
  stop(): Promise<void>
}
