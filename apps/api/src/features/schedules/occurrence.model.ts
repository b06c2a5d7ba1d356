import { Schema, type Connection, type Model, type Types } from 'mongoose'
import type { Phase } from './next-run.ts'
import type { ScheduleAction } from './schedule.model.ts'

/** How an occurrence ended; `firing` has not yet. */
export type OccurrenceState = 'firing' | 'confirmed' | 'late' | 'missed' | 'superseded' | 'skipped'

/**
 * One firing of one schedule. The id is its unique key, `<scheduleId>:<phase>:<local date>` (and the plan's revision where
 * its times were changed): inserted before it fires, so that it happens once however many api instances run.
 */
export interface OccurrenceDocument {
  _id: string
  scheduleId: Types.ObjectId
  deviceId: Types.ObjectId
  switchIndex: number
  phase: Phase
  action: ScheduleAction
  /** `HH:MM` as the schedule says, and the instant that it stands for. */
  time: string
  dueAt: Date
  isShifted: boolean
  state: OccurrenceState
  reason: string | null
  /** Who fires it, until when others leave it alone. */
  claimedBy: string
  claimedAt: Date
  leaseUntil: Date
  endedAt: Date | null
  /** The board itself ran it, while it was cut off. */
  byBoard: boolean
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
      byBoard: Boolean
    },
    { versionKey: false, collection: 'scheduleOccurrences' }
  )
  // One rule for retention, and for finding what is due together with another.
  schema.index({ dueAt: 1 }, { expireAfterSeconds: keepDays * 86_400 })
  schema.index({ leaseUntil: 1 }, { partialFilterExpression: { state: 'firing' } })
  return connection.model<OccurrenceDocument>('ScheduleOccurrence', schema)
}
