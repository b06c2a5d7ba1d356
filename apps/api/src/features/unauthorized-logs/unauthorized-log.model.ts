import { Schema, type Connection, type Types } from 'mongoose'

export interface UnauthorizedLogDocument {
  _id: Types.ObjectId
  ip: string
  method: string
  url: string
  userAgent: string
  attempts: number
  timestamp: Date
  /** Absent while the address is blocked: such rows must stay visible to admins. */
  expiresAt?: Date
}

const unauthorizedLogSchema = new Schema<UnauthorizedLogDocument>(
  {
    ip: { type: String, required: true },
    method: { type: String, required: true },
    url: { type: String, required: true },
    userAgent: { type: String, default: '' },
    attempts: { type: Number, required: true },
    timestamp: { type: Date, required: true },
    expiresAt: { type: Date }
  },
  { collection: 'unauthorized_logs', versionKey: false }
)
unauthorizedLogSchema.index({ ip: 1, method: 1, url: 1 }, { unique: true })
for (const field of ['ip', 'method', 'url', 'userAgent', 'attempts', 'timestamp']) {
  unauthorizedLogSchema.index({ [field]: 1, _id: 1 })
}
unauthorizedLogSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 })

export type UnauthorizedLogModel = ReturnType<typeof createUnauthorizedLogModel>
export const createUnauthorizedLogModel = (connection: Connection) =>
  connection.model('UnauthorizedLog', unauthorizedLogSchema)

export interface BlockedAddressDocument {
  /** The address itself. */
  _id: string
  by: string
  at: Date
  /** Null: permanent. */
  until: Date | null
}

const keptBlockS = 86_400
const blockedAddressSchema = new Schema<BlockedAddressDocument>(
  {
    _id: String,
    by: { type: String, required: true },
    at: { type: Date, required: true },
    until: { type: Date, default: null }
  },
  { collection: 'blocked_addresses', versionKey: false }
)
// Delayed, so that a clock that is briefly ahead does not delete blocks.
blockedAddressSchema.index({ until: 1 }, { expireAfterSeconds: keptBlockS })

/** Refusals of one hour; `_id` is its beginning in ISO 8601, so that all instances add to one row. */
export interface RefusalHourDocument {
  _id: string
  at: Date
  count: number
}

const keptHourS = 2 * 86_400
const refusalHourSchema = new Schema<RefusalHourDocument>(
  { _id: String, at: { type: Date, required: true }, count: { type: Number, required: true } },
  { collection: 'refusal_hours', versionKey: false }
)
refusalHourSchema.index({ at: 1 }, { expireAfterSeconds: keptHourS })
export type RefusalHourModel = ReturnType<typeof createRefusalHourModel>
export const createRefusalHourModel = (connection: Connection) => connection.model('RefusalHour', refusalHourSchema)

export type BlockedAddressModel = ReturnType<typeof createBlockedAddressModel>
export const createBlockedAddressModel = (connection: Connection) =>
  connection.model('BlockedAddress', blockedAddressSchema)
