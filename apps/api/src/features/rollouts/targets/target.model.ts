import type { UpdateError, UpdatePhase } from '@batti/contracts'
import { Schema, type Connection, type Model, type Types } from 'mongoose'

/** Why a waiting board is not sent anything yet; null if it was not checked since it last came online. */
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
  /** Whether its phase is not final. */
  isOpen: boolean
  /** Whether its rollout is a manual update of one board; missing in older rows. */
  isSingle?: boolean
  /** Whether it has taken its board to send it something; missing in older rows. */
  hasBoard?: boolean
  /** The id by which the board knows the update; the same for each resend. */
  jobId: string
  /** The image to send: the rollout's own or an intermediate one. For settings, the revision to be confirmed. */
  fileId: Types.ObjectId | null
  version: string | null
  rev: number | null
  sends: number
  /** How often it was sent again after a mere loss of the connection, without any progress since; missing in older rows. */
  resends?: number
  /** The last sending of this job, counted or not. */
  sentAt: Date | null
  /** The first sending of this job. */
  triedAt: Date | null
  progressAt: Date | null
  /** The boot last reported before it was sent, or that installs it: a different one means that the board restarted. */
  bootIdAtSend: string
  /** The connection number of that boot at the time; null if it was not recorded. */
  connAtSend: number | null
  wait: WaitReason
  /** When a waiting board is checked again. */
  tryAt: Date
  doneAt: Date | null
  /** The last retry that queued it, which does so only once; missing for none. */
  retryId?: string
  /** The last setting of the clock that its times were moved by, only once; missing for none. */
  clockSetId?: string
  changedAt: Date
}

/** Returns the fields of a board that waits under a new job, as if nothing had been sent before. */
export const backToWaiting = (jobId: string, at: Date) =>
  ({
    phase: 'waiting',
    hasBoard: false,
    percent: 0,
    error: null,
    jobId,
    fileId: null,
    version: null,
    rev: null,
    sends: 0,
    sentAt: null,
    triedAt: null,
    progressAt: null,
    bootIdAtSend: '',
    connAtSend: null,
    wait: null,
    tryAt: at,
    doneAt: null,
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
      hasBoard: Boolean,
      jobId: String,
      fileId: { type: Schema.Types.ObjectId, default: null },
      version: { type: String, default: null },
      rev: { type: Number, default: null },
      sends: { type: Number, default: 0 },
      resends: Number,
      sentAt: date,
      triedAt: date,
      progressAt: date,
      bootIdAtSend: { type: String, default: '' },
      connAtSend: { type: Number, default: null },
      wait: { type: String, default: null },
      tryAt: Date,
      doneAt: date,
      retryId: String,
      clockSetId: String,
      changedAt: Date
    },
    { versionKey: false, collection: 'rolloutTargets' }
  )
  schema.index({ rolloutId: 1, deviceId: 1 }, { unique: true })
  schema.index({ rolloutId: 1, phase: 1, tryAt: 1 })
  // The counts of every second use these indexes alone, however many boards there are.
  schema.index({ rolloutId: 1, phase: 1, stage: 1, wait: 1, doneAt: 1 })
  schema.index({ rolloutId: 1, triedAt: 1 })
  schema.index({ phase: 1 }, { partialFilterExpression: { isOpen: true } })
  schema.index({ deviceId: 1, isOpen: 1 })
  // Ensures that a board is in one rollout and one manual update at a time, under concurrency too. Older rows may be duplicates.
  schema.index(
    { deviceId: 1, isSingle: 1 },
    { unique: true, partialFilterExpression: { isOpen: true, isSingle: { $exists: true } } }
  )
  // Ensures that of those two, only one sends to the board.
  schema.index(
    { deviceId: 1, hasBoard: 1 },
    { unique: true, partialFilterExpression: { isOpen: true, hasBoard: true } }
  )
  schema.index({ jobId: 1 })
  return connection.model<TargetDocument>('RolloutTarget', schema)
}
