import { Schema, type Connection, type Model, type Types } from 'mongoose'
import type { Phase } from '../timing/next-run.ts'
import type { ScheduleAction } from '../schedule.model.ts'

/** The result of an occurrence; `firing` means none yet. */
export type OccurrenceState = 'firing' | 'confirmed' | 'late' | 'missed' | 'superseded' | 'skipped'

/**
 * One firing of one schedule. Its id is the unique key `<scheduleId>:<phase>:<local date>`, plus the plan's revision if
 * its times were changed. It is inserted before firing, so that it fires once however many api instances run.
 */
export interface OccurrenceDocument {
  _id: string
  scheduleId: Types.ObjectId
  deviceId: Types.ObjectId
  switchIndex: number
  phase: Phase
  action: ScheduleAction
  /** `HH:MM` as in the schedule, and the instant of that time. */
  time: string
  dueAt: Date
  isShifted: boolean
  state: OccurrenceState
  reason: string | null
  /** The instance that fires it, and until when others leave it alone. */
  claimedBy: string
  claimedAt: Date
  leaseUntil: Date
  endedAt: Date | null
  /** The board ran it by itself while it was cut off. */
  byBoard: boolean
  /** Missed, but perhaps only by a clock that was ahead; missing for no. */
  isDoubted?: boolean
}

const keepDays = 30

export function createOccurrenceModel(connection: Connection): Model<OccurrenceDocument> {
  const schema = new Schema<OccurrenceDocument>(
    {
      _id: String,
      scheduleId: Schema.Types.ObjectId,
      deviceId: Schema.Types.ObjectId,
      switchIndex: Number,
      phase: String,
      action: String,
      time: String,
      dueAt: Date,
      isShifted: Boolean,
      state: String,
      reason: String,
      claimedBy: String,
      claimedAt: Date,
      leaseUntil: Date,
      endedAt: Date,
      byBoard: Boolean,
      isDoubted: Boolean
    },
    { versionKey: false, collection: 'scheduleOccurrences' }
  )
  // One index for both retention and finding occurrences that are due together.
  schema.index({ dueAt: 1 }, { expireAfterSeconds: keepDays * 86_400 })
  schema.index({ leaseUntil: 1 }, { partialFilterExpression: { state: 'firing' } })
  return connection.model<OccurrenceDocument>('ScheduleOccurrence', schema)
}
