import type { Weekday } from '@batti/contracts'
import { Schema, type Connection, type Model, type Types } from 'mongoose'
import { addSearchKeys } from '../../platform/store/lists/search-keys.ts'
import type { Occurrence } from './timing/next-run.ts'

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
  /** The date that people gave, `YYYY-MM-DD`: the last day of a repeating schedule, or the day of `once`. */
  endDate: string | null
  /** For `once`: the local date of its run. */
  runDate: string | null
  /** The zone that `next` was computed in. */
  timezone: string
  /** The time zone database that `next` was computed with. */
  tzVersion: string
  isActive: boolean
  /** When it ran out, and the run that it was in at that time; null if a person switched it off. */
  ranOut?: { at: Date; startedRun: string | null } | null
  /** What it waited for before the clock was set back. If that turns out to be wrong, this is restored. */
  beforeSetBack?: WaitedFor | null
  /** Incremented with each change of its times, so that a run at a new time of the same day is a new occurrence. */
  planRev: number
  next: PlannedOccurrence | null
  /** Copy of `next.at` with an index of its own, to find what is due. */
  nextRunAt: Date | null
  /** Names of its board and switch, for sorting and searching. */
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
  // The columns that staff may sort by; ties are broken by id.
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
