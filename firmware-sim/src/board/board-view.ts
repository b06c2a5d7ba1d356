import type { FirmwareProgress, OutletKind } from '@batti/contracts'
import type { FaultSettings } from './faults.ts'

/**
 * The phase of a board: `off` (no power) · `booting` · `setup` (accepts a setup form) · `setup-over` (its ten minutes are
 * over) · `joining` (Wi-Fi) · `pairing` (requests a credential from the server) · `refused` (the server refused it) ·
 * `connecting` · `online`.
 */
export type BoardPhase =
  | 'off'
  | 'booting'
  | 'setup'
  | 'setup-over'
  | 'joining'
  | 'pairing'
  | 'refused'
  | 'connecting'
  | 'online'

/** The visible state of a board. Times are milliseconds since the epoch. */
export interface BoardView {
  mac: string
  name: string
  model: string
  title: string
  hwModel: string
  powered: boolean
  phase: BoardPhase
  /** A sentence that explains the phase, or null. */
  detail: string | null
  /** A fault of the board itself, such as a damaged flash. */
  notice: string | null
  outlets: { index: number; kind: OutletKind; on: boolean; speed: number; label: string | null }[]
  /** The state as it is reported: one entry per outlet. */
  switch: boolean[]
  speed: number[]
  activeColor: string | null
  paired: boolean
  deviceId: string | null
  setupUrl: string | null
  setupEndsAt: number | null
  osVersion: string
  bootId: string | null
  conn: number
  /** Number of reports that the server has not acknowledged yet. */
  unacknowledged: number
  configRev: number | null
  schedulesRev: number | null
  timezone: string | null
  firmware: FirmwareProgress | null
  faults: FaultSettings
}
