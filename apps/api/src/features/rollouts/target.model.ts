import type { UpdateError, UpdatePhase } from '@batti/contracts'
import { Schema, type Connection, type Model, type Types } from 'mongoose'

/** Why a board that waits is not sent anything yet; null: nobody has looked since it last came online. */
export type WaitReason = 'offline' | 'hours' | 'when' | null

/** One board of a rollout. */
export interface TargetDocument {
  _id: Types.ObjectId
  rolloutId: Types.ObjectId
  deviceId: Types.ObjectId
  deviceMac: string
  stage: number
  phase: UpdatePhase
  percent: number
  error: UpdateError | null
  /** Its phase is not final. */
  isOpen: boolean
  /** Its rollout is the update of one board by hand; older rows do not say. */
  isSingle?: boolean
  /** What the board knows the update by; the same for each time it is sent. */
  jobId: string
  /** What is sent: the rollout's own image, or a step on the way there. For settings the revision to be confirmed. */
  fileId: Types.ObjectId | null
  version: string | null
  rev: number | null
  sends: number
  /** Of this job, counted ones and others. */
  sentAt: Date | null
  /** The first sending of this job. */
  triedAt: Date | null
  progressAt: Date | null
  /** The boot that had reported when it was sent: another one means that the board was started again. */
  bootIdAtSend: string
  /** The connection of that boot which was known then; null: nobody wrote it down. */
  connAtSend: number | null
  wait: WaitReason
  /** A board that waits is looked at again then. */
  tryAt: Date
  doneAt: Date | null
  changedAt: Date
}

/** What no board has yet that a rollout takes. */
export const nothingSent = {
  fileId: null,
  version: null,
  rev: null,
  progressAt: null,
  bootIdAtSend: '',
  connAtSend: null,
  doneAt: null
} as const satisfies Partial<TargetDocument>

/** Of a board that had come to its end: it waits under a new job, as if nothing had been sent. */
export const waitingAnew = (jobId: string, at: Date) =>
  ({
    phase: 'waiting',
    percent: 0,
    error: null,
    jobId,
    sends: 0,
    sentAt: null,
    triedAt: null,
    wait: null,
    tryAt: at,
    changedAt: at
  }) as const satisfies Partial<TargetDocument>

export function createTargetModel(connection: Connection): Model<TargetDocument> {
  const date = { type: Date, default: null }
  const schema = new Schema<TargetDocument>(
    {
      rolloutId: Schema.Types.ObjectId,
      deviceId: Schema.Types.ObjectId,
      deviceMac: String,
      stage: Number,
      phase: String,
      percent: { type: Number, default: 0 },
      error: { type: Schema.Types.Mixed, default: null },
      isOpen: Boolean,
      isSingle: Boolean,
      jobId: String,
      fileId: { type: Schema.Types.ObjectId, default: null },
      version: { type: String, default: null },
      rev: { type: Number, default: null },
      sends: { type: Number, default: 0 },
      sentAt: date,
      triedAt: date,
      progressAt: date,
      bootIdAtSend: { type: String, default: '' },
      connAtSend: { type: Number, default: null },
      wait: { type: String, default: null },
      tryAt: Date,
      doneAt: date,
      changedAt: Date
    },
    { versionKey: false, collection: 'rolloutTargets' }
  )
  schema.index({ rolloutId: 1, deviceId: 1 }, { unique: true })
  schema.index({ rolloutId: 1, phase: 1, tryAt: 1 })
  // What is counted each second is counted by these alone, however many boards there are.
  schema.index({ rolloutId: 1, phase: 1, stage: 1, wait: 1, doneAt: 1 })
  schema.index({ rolloutId: 1, triedAt: 1 })
  schema.index({ phase: 1 }, { partialFilterExpression: { isOpen: true } })
  schema.index({ deviceId: 1, isOpen: 1 })
  // A board is in one rollout at a time, and in one update by hand, however many ask at once. Older rows may stand twice.
  schema.index(
    { deviceId: 1, isSingle: 1 },
    { unique: true, partialFilterExpression: { isOpen: true, isSingle: { $exists: true } } }
  )
  schema.index({ jobId: 1 })
  return connection.model<TargetDocument>('RolloutTarget', schema)
}
