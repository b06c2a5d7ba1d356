import { languages, monitorPermissions, roles } from '@batti/contracts'
import { Schema, type Connection, type Model, type Types } from 'mongoose'
import { addSearchKeys } from '../../platform/store/lists/search-keys.ts'
import type { AccountRecord } from '../../platform/people/account-directory.ts'

export type AccountDocument = Omit<AccountRecord, 'id'> & {
  _id: Types.ObjectId
  updatedAt: Date
  rosterRev: number
  homeRev: number
  /** Numbers of related records, for sorting. */
  counts?: { devices: number; schedules: number; rooms: number }
  searchKeys?: Record<string, string[]>
}

export const searchedFields = ['name', 'email', 'phone'] as const

/** Collection `users`. Unique indexes decide who owns an address, not a query beforehand. */
const accountSchema = new Schema<AccountDocument>(
  {
    name: { type: String, required: true },
    email: { type: String, required: true },
    emailKey: { type: String, required: true },
    loginEmail: { type: String, required: true },
    loginEmailKey: { type: String, required: true },
    loginEmailVerified: { type: Boolean, default: false },
    phone: { type: String, default: null },
    loginPhone: { type: String, default: null },
    loginPhoneVerified: { type: Boolean, default: false },
    phoneClaimedAt: { type: Date, default: null },
    resetGuard: {
      type: new Schema({ email: String, emailKey: String, phone: String, until: Date }, { _id: false }),
      default: null
    },
    address: { type: String, default: '' },
    role: { type: String, enum: roles, default: 'user' },
    permissions: { type: [{ type: String, enum: monitorPermissions }], default: [] },
    passwordHash: { type: String, default: null },
    imageKey: { type: String, default: null },
    language: { type: String, enum: languages, default: 'en' },
    timezone: { type: String, default: null },
    knownIps: { type: [String], default: [] },
    deletingAt: { type: Date, default: null },
    rosterRev: { type: Number, default: 0 },
    homeRev: { type: Number, default: 0 },
    counts: {
      devices: { type: Number, default: 0 },
      schedules: { type: Number, default: 0 },
      rooms: { type: Number, default: 0 }
    },
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true }
  },
  { collection: 'users', versionKey: false }
)
accountSchema.index({ loginEmailKey: 1 }, { unique: true })
accountSchema.index({ loginPhone: 1 }, { unique: true, partialFilterExpression: { loginPhoneVerified: true } })
accountSchema.index({ loginPhone: 1, phoneClaimedAt: 1 })
accountSchema.index({ 'resetGuard.emailKey': 1 }, { sparse: true })
accountSchema.index({ 'resetGuard.phone': 1 }, { sparse: true })
accountSchema.index({ createdAt: -1, _id: -1 })
accountSchema.index({ role: 1, createdAt: -1, _id: -1 })
// The columns that staff may sort by; ties are broken by id.
for (const column of ['name', 'email', 'phone', 'role', 'counts.devices', 'counts.schedules', 'counts.rooms']) {
  accountSchema.index({ [column]: 1, _id: 1 })
}
// Accounts that are being deleted; they are excluded from counts.
accountSchema.index({ deletingAt: 1 }, { partialFilterExpression: { deletingAt: { $gt: new Date(0) } } })
addSearchKeys(accountSchema, searchedFields)

export type AccountModel = Model<AccountDocument>
export const createAccountModel = (connection: Connection): AccountModel =>
  connection.model<AccountDocument>('User', accountSchema)
