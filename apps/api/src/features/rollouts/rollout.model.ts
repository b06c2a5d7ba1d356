import type {
  AllowedHours,
  BulkSettings,
  DeviceFilter,
  PauseReason,
  RolloutKind,
  RolloutState,
  StageEnd,
  UpdateErrorCode,
  UpdateTime
} from '@batti/contracts'
import type { VersionRecord } from './engine/watch-boards.ts'
import type { ClockSet } from './targets/moved-by.ts'
import { Schema, type Connection, type Model, type Types } from 'mongoose'

export interface StageDocument {
  devices?: number | undefined
  percent?: number | undefined
  group?: string | undefined
  holdMinutes: number
  then: StageEnd
  total: number
  startedAt: Date | null
  endedAt: Date | null
}

/** A retry whose boards are not all queued yet: those that failed, for that reason or of these, and that it has not queued. */
export interface PendingRetry {
  id: string
  code: UpdateErrorCode | null
  deviceIds: readonly string[] | null
}

export interface RolloutDocument {
  _id: Types.ObjectId
  kind: RolloutKind
  /** The manual update of one board: handled like a rollout, but in no list. */
  isSingle: boolean
  fileId: Types.ObjectId | null
  fileName: string | null
  version: string | null
  set: BulkSettings | null
  filter: DeviceFilter | null
  state: RolloutState
  total: number
  stages: StageDocument[]
  stage: number
  maxFailurePercent: number
  atOnce: number
  allowedHours: AllowedHours | null
  updateWhen: UpdateTime
  follow: boolean
  paused: { by: PauseReason; at: Date; tried: number; failed: number; limit: number } | null
  /** Failures before this do not count, because a person has resumed the rollout since. */
  countedFrom: Date
  /** Records of the previous and the new version, for comparison. */
  watched: { before: VersionRecord; after: VersionRecord; at: Date }
  /** The server's own address, as boards are told it. */
  base: string
  /** Incremented whenever boards are added or retried: a verdict on the stage from before that is outdated. */
  rev: number
  /** Oldest first; missing in older rollouts. */
  retries?: PendingRetry[]
  /** The clock was set, and the times of its boards may not all be moved yet; missing otherwise. */
  clockSet?: ClockSet
  /** False once nothing is left to do. */
  isActive: boolean
  /** The instance that drives it, and until when others leave it alone. */
  leaseBy: string
  leaseUntil: Date
  createdBy: Types.ObjectId | null
  createdAt: Date
}

/** The constant fields that notifications of its boards need. */
export type NotifiedRollout = Pick<RolloutDocument, '_id' | 'kind' | 'isSingle'>

export function createRolloutModel(connection: Connection): Model<RolloutDocument> {
  const mixed = { type: Schema.Types.Mixed, default: null }
  const schema = new Schema<RolloutDocument>(
    {
      kind: { type: String, required: true },
      isSingle: { type: Boolean, default: false },
      fileId: { type: Schema.Types.ObjectId, default: null },
      fileName: { type: String, default: null },
      version: { type: String, default: null },
      set: mixed,
      filter: mixed,
      state: { type: String, required: true },
      total: { type: Number, required: true },
      stages: [Schema.Types.Mixed],
      stage: { type: Number, default: 0 },
      maxFailurePercent: Number,
      atOnce: Number,
      allowedHours: mixed,
      updateWhen: String,
      follow: Boolean,
      paused: mixed,
      countedFrom: Date,
      watched: Schema.Types.Mixed,
      base: String,
      rev: { type: Number, default: 0 },
      retries: [Schema.Types.Mixed],
      clockSet: Schema.Types.Mixed,
      isActive: Boolean,
      leaseBy: { type: String, default: '' },
      leaseUntil: Date,
      createdBy: { type: Schema.Types.ObjectId, default: null },
      createdAt: Date
    },
    { versionKey: false, minimize: false, collection: 'rollouts' }
  )
  // Lists leave out the manual updates of single boards, of which there are many more.
  schema.index({ isSingle: 1, createdAt: -1, _id: -1 })
  schema.index({ isActive: 1, leaseUntil: 1 })
  return connection.model<RolloutDocument>('Rollout', schema)
}
