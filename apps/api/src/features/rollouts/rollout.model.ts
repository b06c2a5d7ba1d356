import type {
  AllowedHours,
  BulkSettings,
  DeviceFilter,
  PauseReason,
  RolloutKind,
  RolloutState,
  StageEnd,
  UpdateTime
} from '@batti/contracts'
import type { VersionRecord } from './watch-boards.ts'
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

export interface RolloutDocument {
  _id: Types.ObjectId
  kind: RolloutKind
  /** The update of one board by hand: driven like a rollout, and in no list. */
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
  /** Failures before this are forgiven: a person has resumed it since. */
  countedFrom: Date
  /** The version before and the new one, side by side. */
  watched: { before: VersionRecord; after: VersionRecord; at: Date }
  /** The server's own address, as boards are told it. */
  base: string
  /** Counts what adds boards to do: whoever judged the stage before that is mistaken. */
  rev: number
  /** False once nothing is left to be done for it. */
  isActive: boolean
  /** Who drives it, until when others leave it alone. */
  leaseBy: string
  leaseUntil: Date
  createdBy: Types.ObjectId | null
  createdAt: Date
}

/** What never changes of it, and whoever tells of its boards needs. */
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
      isActive: Boolean,
      leaseBy: { type: String, default: '' },
      leaseUntil: Date,
      createdBy: { type: Schema.Types.ObjectId, default: null },
      createdAt: Date
    },
    { versionKey: false, minimize: false, collection: 'rollouts' }
  )
  schema.index({ createdAt: -1 })
  schema.index({ isActive: 1, leaseUntil: 1 })
  return connection.model<RolloutDocument>('Rollout', schema)
}
