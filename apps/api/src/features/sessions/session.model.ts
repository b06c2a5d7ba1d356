import { Schema, type Connection, type Types } from 'mongoose'

export interface SessionDocument {
  _id: Types.ObjectId
  userId: Types.ObjectId
  /** SHA-256 of the current refresh token. */
  tokenHash: string
  /** Recently rotated tokens: two tabs may use the same one. */
  rotated: { hash: string; at: Date }[]
  userAgent: string
  ip: string
  createdAt: Date
  lastUsedAt: Date
  /** 30 days after `createdAt`, in any case. */
  expiresAt: Date
}

const sessionSchema = new Schema<SessionDocument>(
  {
    userId: { type: Schema.Types.ObjectId, required: true },
    tokenHash: { type: String, required: true },
    rotated: { type: [{ _id: false, hash: String, at: Date }], default: [] },
    userAgent: { type: String, default: '' },
    ip: { type: String, default: '' },
    createdAt: { type: Date, required: true },
    lastUsedAt: { type: Date, required: true },
    expiresAt: { type: Date, required: true }
  },
  { collection: 'sessions', versionKey: false }
)
sessionSchema.index({ userId: 1, lastUsedAt: -1 })
sessionSchema.index({ ip: 1 })
sessionSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 })

export type SessionModel = ReturnType<typeof createSessionModel>
export const createSessionModel = (connection: Connection) => connection.model('Session', sessionSchema)
