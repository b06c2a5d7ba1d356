import type { ChangeCause, ChangeSource } from '@batti/contracts'
import { Schema, type Connection, type Model, type Types } from 'mongoose'

/** One confirmed change of one outlet (`change`), or something that did not happen (`missed`) or was told (`notice`). */
export interface ActionLogDocument {
  _id: Types.ObjectId
  kind: 'change' | 'missed' | 'notice'
  userId: Types.ObjectId | null
  description: string
  userName: string
  userPhone: string | null
  from: ChangeSource
  cause: ChangeCause | null
  deviceId: Types.ObjectId | null
  deviceMac: string | null
  switchId: Types.ObjectId | null
  switchIndex: number | null
  switchName: string | null
  state: boolean | null
  speed: number | null
  commandId: string | null
  /** How long the board took to confirm the command, milliseconds. */
  tookMs?: number
  /** Which report said so; unique per outlet, so that a report that comes twice is logged once. */
  report: { bootId: string; seq: number } | null
  /** Of a schedule's row: `<scheduleId>:<phase>:<local date>`. */
  occurrence: string | null
  /** Says who cleared the log; no call removes it. */
  isAudit?: boolean
  createdAt: Date
}

export function createActionLogModel(connection: Connection, retentionDays: number): Model<ActionLogDocument> {
  const schema = new Schema<ActionLogDocument>(
    {
      kind: { type: String, required: true },
      userId: { type: Schema.Types.ObjectId, default: null },
      description: { type: String, required: true },
      userName: { type: String, default: '' },
      userPhone: { type: String, default: null },
      from: { type: String, required: true },
      cause: { type: Schema.Types.Mixed, default: null },
      deviceId: { type: Schema.Types.ObjectId, default: null },
      deviceMac: { type: String, default: null },
      switchId: { type: Schema.Types.ObjectId, default: null },
      switchIndex: { type: Number, default: null },
      switchName: { type: String, default: null },
      state: { type: Boolean, default: null },
      speed: { type: Number, default: null },
      tookMs: Number,
      commandId: { type: String, default: null },
      report: { type: Schema.Types.Mixed, default: null },
      occurrence: { type: String, default: null },
      isAudit: Boolean,
      createdAt: { type: Date, required: true }
    },
    { versionKey: false, collection: 'switchActionLogs' }
  )
  schema.index({ userId: 1, createdAt: -1, _id: -1 })
  schema.index({ switchId: 1, createdAt: -1, _id: -1 })
  schema.index({ deviceId: 1, createdAt: -1, _id: -1 })
  // One rule for retention and for the staff's list of everything.
  schema.index({ createdAt: -1, _id: -1 })
  schema.index({ createdAt: -1 }, { expireAfterSeconds: retentionDays * 86_400 })
  schema.index(
    { deviceId: 1, switchIndex: 1, 'report.bootId': 1, 'report.seq': 1 },
    { unique: true, partialFilterExpression: { 'report.seq': { $exists: true } } }
  )
  return connection.model<ActionLogDocument>('ActionLog', schema)
}
