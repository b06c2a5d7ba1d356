import type { FirmwareProgress, OutletKind } from '@batti/contracts'
import type { FaultSettings } from './faults.ts'

/**
 * What a board is at: `off` (no power) · `booting` · `setup` (takes a setup form) · `setup-over` (its ten minutes are gone) ·
 * `joining` (Wi-Fi) · `pairing` (asks the server for a credential) · `refused` (the server did not want it) ·
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

/** Everything there is to see of a board. Times are milliseconds since the epoch. */
export type BoardView = {
  mac: string
  name: string
  model: string
  title: string
  hwModel: string
  powered: boolean
  phase: BoardPhase
  /** A sentence about the phase, where there is something to say. */
  detail: string | null
  /** Something that went wrong with the board itself, such as a damaged flash. */
  notice: string | null
  outlets: { index: number; kind: OutletKind; on: boolean; speed: number; label: string | null }[]
  /** The state as it is reported: one entry an outlet. */
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
  /** Reports that the server has not acknowledged yet. */
  unacknowledged: number
  configRev: number | null
  schedulesRev: number | null
  timezone: string | null
  firmware: FirmwareProgress | null
  faults: FaultSettings
}
