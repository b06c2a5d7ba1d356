import {
  defaultBoardColour,
  defaultTimezone,
  type ConfigUpdatePayload,
  type DownTopic,
  type FirmwareProgress,
  type FirmwareUpdatePayload,
  type Outlet,
  type SchedulesPayload,
  type UpTopic
} from '@batti/contracts'
import { createReportQueue, type ReportQueue } from './report-queue.ts'
import { createServerClock, type ServerClock } from './server-clock.ts'

export interface Address {
  readonly host: string
  readonly port: number
}

/** Settings that the owner can change remotely. `rev` counts the changes. */
export interface DeviceConfig {
  readonly rev: number
  readonly activeColor: string
  readonly timezone: string
  readonly wifi: { readonly ssid: string; readonly password: string }
  readonly api: Address
  readonly mqtt: Address
}

export const emptyConfig: DeviceConfig = {
  rev: 0,
  activeColor: defaultBoardColour,
  timezone: defaultTimezone,
  wifi: { ssid: '', password: '' },
  api: { host: '', port: 0 },
  mqtt: { host: '', port: 0 }
}

/** An answered command: a duplicate gets the same answer and is not applied again. */
export interface AnsweredCommand {
  readonly id: string
  readonly result: 'applied' | 'expired' | 'rejected'
  readonly reason?: string
}

/** The state of a board during one power-up. All times are milliseconds of the board's own clock. */
export interface DeviceState {
  readonly outlets: readonly Outlet[]
  readonly bootId: string
  readonly bootedAt: number
  readonly osVersion: string
  readonly localIp: string
  readonly rssi: number
  readonly config: DeviceConfig
  readonly timetable: SchedulesPayload | null
  readonly reports: ReportQueue
  readonly clock: ServerClock
  readonly answered: readonly AnsweredCommand[]
  /** `conn` counts every attempt, because the server may have seen one that failed for the board. */
  readonly link: {
    readonly conn: number
    readonly up: boolean
    readonly statusAt: number
    readonly statusEveryMs: number
  }
  /** While offline: the time up to which the timetable was executed, and its next firing, both on the board's clock. */
  readonly alone: { readonly doneUntil: number; readonly nextFiringAt: number }
  /** The result of the last firmware update, until it was reported to the server. */
  readonly firmwareOutcome: FirmwareProgress | null
}

export type DeviceEvent =
  | { readonly kind: 'connecting' }
  /** Connected and subscribed. `jitter` in 0..1 spreads the heartbeats of many boards. */
  | { readonly kind: 'connected'; readonly jitter: number }
  /** `heardAt` is when the last packet from the server arrived; later ones are lost. */
  | { readonly kind: 'disconnected'; readonly heardAt: number }
  | { readonly kind: 'received'; readonly topic: DownTopic; readonly payload: unknown }
  | { readonly kind: 'pressed'; readonly index: number }
  | { readonly kind: 'turned'; readonly index: number; readonly speed: number }
  | { readonly kind: 'firmware'; readonly progress: FirmwareProgress }
  | { readonly kind: 'tick' }

export type DeviceEffect =
  | { readonly kind: 'publish'; readonly topic: UpTopic; readonly payload: object }
  /** `urgent`: must be in the flash before the next effect; otherwise soon. */
  | { readonly kind: 'persist'; readonly urgent: boolean }
  | { readonly kind: 'reconnect' }
  /** CAs to trust from the next connection on. They must be stored in the flash. */
  | { readonly kind: 'trust'; readonly caPem: string }
  | { readonly kind: 'download'; readonly update: FirmwareUpdatePayload }
  /** The server answered in this boot, which proves a firmware version on trial. */
  | { readonly kind: 'server-reached' }
  /** A malformed message, which is counted but not executed. */
  | { readonly kind: 'ignored'; readonly topic: DownTopic; readonly reason: string }

/** The result of one event: the next state, and the effects to perform, in order. */
export interface Step {
  readonly state: DeviceState
  readonly effects: readonly DeviceEffect[]
}

export interface DeviceSeed {
  outlets: readonly Outlet[]
  bootId: string
  osVersion: string
  localIp: string
  rssi: number
  config: DeviceConfig
  timetable: SchedulesPayload | null
  rememberedOffset: number | null
  firmwareOutcome: FirmwareProgress | null
}

export function seedState(seed: DeviceSeed, now: number): DeviceState {
  const { rememberedOffset, ...known } = seed
  return {
    ...known,
    bootedAt: now,
    reports: createReportQueue(seed.bootId),
    clock: createServerClock(rememberedOffset),
    answered: [],
    link: { conn: 0, up: false, statusAt: Infinity, statusEveryMs: 0 },
    alone: { doneUntil: now, nextFiringAt: Infinity }
  }
}

const addressIn = ({ mqtt }: ConfigUpdatePayload): Address | null =>
  mqtt?.host === undefined || mqtt.port === undefined ? null : { host: mqtt.host, port: mqtt.port }

/** Merges a `config-update` into the configuration. */
export function mergeConfig(config: DeviceConfig, update: ConfigUpdatePayload): DeviceConfig {
  return {
    rev: update.rev,
    activeColor: update.activeColor ?? config.activeColor,
    timezone: update.timezone ?? config.timezone,
    wifi: update.wifi ?? config.wifi,
    api: update.api ?? config.api,
    mqtt: addressIn(update) ?? config.mqtt
  }
}
