import type { AuditAction, AuditChange, Role } from '@batti/contracts'
import { Schema, type Connection, type Model, type Types } from 'mongoose'
import { addSearchKeys } from '../../platform/store/lists/search-keys.ts'

export interface AuditLogDocument {
  _id: Types.ObjectId
  at: Date
  actor: { _id: Types.ObjectId; name: string; role: Role }
  action: AuditAction
  target: { kind: string; _id: string | null; label: string }
  /** Rows of former versions lack values that were empty objects. */
  changes: (Pick<AuditChange, 'field'> & Partial<AuditChange>)[]
  ip: string
  requestId: string
  expiresAt: Date
}

/** Fields with substring search. */
export const auditSearched = ['target.label', 'actor.name'] as const

const text = { type: String, required: true }
// An empty object is a value: mongoose drops it by default, and the row could no longer be read.
const keepsEmpty = { minimize: false } as const
const mixed = Schema.Types.Mixed
const change = new Schema({ field: String, before: mixed, after: mixed }, { _id: false, ...keepsEmpty })
const schema = new Schema<AuditLogDocument>(
  {
    at: { type: Date, required: true },
    actor: { type: new Schema({ _id: Schema.Types.ObjectId, name: String, role: String }), required: true },
    action: text,
    target: { type: new Schema({ kind: String, _id: String, label: String }), required: true },
    changes: [change],
    ip: { type: String, default: '' },
    requestId: { type: String, default: '' },
    expiresAt: { type: Date, required: true }
  },
  { collection: 'audit_logs', versionKey: false, ...keepsEmpty }
)
schema.index({ at: -1, _id: -1 })
schema.index({ 'actor._id': 1, at: -1 })
schema.index({ 'target._id': 1, at: -1 })
schema.index({ action: 1, at: -1 })
schema.index({ 'actor.name': 1, _id: 1 })
schema.index({ 'target.label': 1, _id: 1 })
schema.index({ ip: 1, _id: 1 })
addSearchKeys(schema, auditSearched)
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 })

const unchangeable = (): never => {
  throw new Error('rows of the audit log are never changed')
}
schema.pre(['updateOne', 'updateMany', 'findOneAndUpdate', 'findOneAndReplace', 'replaceOne'], unchangeable)
schema.pre(['deleteOne', 'deleteMany', 'findOneAndDelete'], unchangeable)

export const createAuditLogModel = (connection: Connection): Model<AuditLogDocument> =>
  connection.model<AuditLogDocument>('AuditLog', schema)
