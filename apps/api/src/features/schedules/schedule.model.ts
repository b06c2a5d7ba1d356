import type { Weekday } from '@batti/contracts'
import { Schema, type Connection, type Model, type Types } from 'mongoose'
import { addSearchKeys } from '../../platform/store/search-keys.ts'
import type { Occurrence } from './next-run.ts'

export type ScheduleAction = 'on' | 'off'

/** The occurrence that a schedule waits for. */
export type PlannedOccurrence = Omit<Occurrence, 'at'> & { at: Date }

export interface WaitedFor {
  runDate: string | null
  next: PlannedOccurrence
}

export interface ScheduleDocument {
  _id: Types.ObjectId
  userId: Types.ObjectId
  deviceId: Types.ObjectId
  switchId: Types.ObjectId
  switchIndex: number
  label: string
  startTime: string
  endTime: string
  startAction: ScheduleAction
  endAction: ScheduleAction
  repeatType: 'once' | 'daily' | 'weekly'
  repeatDays: Weekday[]
  /** The date that people gave, `YYYY-MM-DD`: the last day of a repeating schedule, the day of `once`. */
  endDate: string | null
  /** Of `once`: the local date of its run. */
  runDate: string | null
  /** The zone that `next` was computed in. */
  timezone: string
  /** The time zone database that `next` was computed with. */
  tzVersion: string
  isActive: boolean
  /** When it had nothing left to run, and the run that it was in the middle of; null for one that a person switched off. */
  ranOut?: { at: Date; startedRun: string | null } | null
  /** What it waited for when the clock was set back. Should that clock be the wrong one, it waits for this again. */
  beforeSetBack?: WaitedFor | null
  /** Counts changes of its times, so that a run at a new time of the same day is another occurrence. */
  planRev: number
  next: PlannedOccurrence | null
  /** `next.at`, alone in its index: what is due is found by it. */
  nextRunAt: Date | null
  /** What its board and switch are called, for sorting and searching. */
  list?: { device: string; deviceType: string; switch: string }
  searchKeys?: Record<string, string[]>
  createdAt: Date
  updatedAt: Date
}

const reference = { type: Schema.Types.ObjectId, required: true }
const text = { type: String, required: true }

export function createScheduleModel(connection: Connection): Model<ScheduleDocument> {
  const schema = new Schema<ScheduleDocument>(
    {
      userId: reference,
      deviceId: reference,
      switchId: reference,
      switchIndex: { type: Number, required: true },
      label: text,
      startTime: text,
      endTime: text,
      startAction: text,
      endAction: text,
      repeatType: text,
      repeatDays: [String],
      endDate: { type: String, default: null },
      runDate: { type: String, default: null },
      timezone: text,
      tzVersion: text,
      isActive: { type: Boolean, default: true },
      ranOut: { type: Schema.Types.Mixed, default: null },
      beforeSetBack: { type: Schema.Types.Mixed, default: null },
      planRev: { type: Number, default: 0 },
      next: { type: Schema.Types.Mixed, default: null },
      nextRunAt: { type: Date, default: null },
      list: { device: String, deviceType: String, switch: String }
    },
    { versionKey: false, timestamps: true, collection: 'schedules' }
  )
  schema.index({ userId: 1, createdAt: 1, _id: 1 })
  schema.index({ deviceId: 1 })
  schema.index({ switchId: 1 })
  schema.index({ createdAt: -1, _id: -1 })
  // The columns that staff sort by; ties by id.
  for (const column of [
    'label',
    'switchIndex',
    'startTime',
    'endTime',
    'repeatType',
    'isActive',
    'nextRunAt',
    'list.device',
    'list.switch'
  ]) {
    schema.index({ [column]: 1, _id: 1 })
  }
  addSearchKeys(schema, ['label'])
  return connection.model<ScheduleDocument>('Schedule', schema)
}
