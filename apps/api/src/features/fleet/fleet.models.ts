import type { DeviceEventKind } from '@batti/contracts'
import { minuteMs } from '@batti/kit/durations'
import { Schema, type Connection, type Model, type Types } from 'mongoose'

const daysS = 86_400
const keptEventDays = 30
const keptSignalDays = 8
const keptHourDays = 3

/** An event of a board. Its id is derived from the event, so that several api instances store it once. */
export interface DeviceEventDocument {
  _id: string
  deviceId: Types.ObjectId
  at: Date
  kind: DeviceEventKind
  detail: string | null
}

/** Signal is aggregated to one value per this time. */
export const slotMs = 10 * minuteMs

/** The signal of a board in one hour: the median of each ten minutes. */
export interface SignalDocument {
  _id: string
  deviceId: Types.ObjectId
  at: Date
  slots: Record<string, number>
}

/** The recent commands of a board that were not answered, one bit each. */
export interface CommandRecordDocument {
  _id: Types.ObjectId
  unanswered: number
}

/** Totals of the fleet in one hour; `_id` is its beginning. */
export interface FleetHourDocument {
  _id: string
  at: Date
  online?: number
  confirmed?: number
  expired?: number
  offline?: number
  /** How many answers took up to that many milliseconds. */
  took?: Record<string, number>
}

/** The index of the events of one board, newest first. */
export const eventsOfBoard = { deviceId: 1, at: -1, _id: -1 } as const

export function createFleetModels(connection: Connection) {
  const id = { type: Schema.Types.ObjectId, required: true }
  const at = { type: Date, required: true }
  const events = new Schema<DeviceEventDocument>(
    { _id: String, deviceId: id, at, kind: { type: String, required: true }, detail: { type: String, default: null } },
    { collection: 'device_events', versionKey: false }
  )
  events.index(eventsOfBoard)
  events.index({ kind: 1, at: 1 })
  events.index({ at: 1 }, { expireAfterSeconds: keptEventDays * daysS })
  const signals = new Schema<SignalDocument>(
    { _id: String, deviceId: id, at, slots: Schema.Types.Mixed },
    { collection: 'device_signals', versionKey: false }
  )
  signals.index({ deviceId: 1, at: -1 })
  signals.index({ at: 1 }, { expireAfterSeconds: keptSignalDays * daysS })
  const commandRecords = new Schema<CommandRecordDocument>(
    { _id: Schema.Types.ObjectId, unanswered: Number },
    { collection: 'device_command_records', versionKey: false }
  )
  const hours = new Schema<FleetHourDocument>(
    { _id: String, at, online: Number, confirmed: Number, expired: Number, offline: Number, took: Schema.Types.Mixed },
    { collection: 'fleet_hours', versionKey: false }
  )
  hours.index({ at: 1 }, { expireAfterSeconds: keptHourDays * daysS })
  const models: {
    events: Model<DeviceEventDocument>
    signals: Model<SignalDocument>
    commandRecords: Model<CommandRecordDocument>
    hours: Model<FleetHourDocument>
  } = {
    events: connection.model<DeviceEventDocument>('DeviceEvent', events),
    signals: connection.model<SignalDocument>('DeviceSignal', signals),
    commandRecords: connection.model<CommandRecordDocument>('DeviceCommandRecord', commandRecords),
    hours: connection.model<FleetHourDocument>('FleetHour', hours)
  }
  return models
}
export type FleetModels = ReturnType<typeof createFleetModels>
