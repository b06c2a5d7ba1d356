import { Schema, type Connection } from 'mongoose'

const codePurposes = ['verify-email', 'verify-phone', 'reset', 'invitation', 'undo'] as const
export type CodePurpose = (typeof codePurposes)[number]

export interface CodeDocument {
  /** Keyed digest of purpose and subject: one code each, and a new one replaces the old. */
  _id: string
  purpose: CodePurpose
  /** Null for an unknown address: it is counted and refused like any other. */
  userId: string | null
  /** The address that the code was sent to, and the only one it is valid for. */
  target: string
  codeHash: string
  linkHash: string
  attempts: number
  createdAt: Date
  expiresAt: Date
  spentAt: Date | null
}

const codeSchema = new Schema<CodeDocument>(
  {
    _id: String,
    purpose: { type: String, enum: codePurposes, required: true },
    userId: { type: String, default: null },
    target: { type: String, required: true },
    codeHash: { type: String, required: true },
    linkHash: { type: String, required: true },
    attempts: { type: Number, default: 0 },
    createdAt: { type: Date, required: true },
    expiresAt: { type: Date, required: true },
    spentAt: { type: Date, default: null }
  },
  { collection: 'one_time_codes', versionKey: false }
)
codeSchema.index({ linkHash: 1 }, { unique: true })
codeSchema.index({ userId: 1 })
codeSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 })

export type CodeModel = ReturnType<typeof createCodeModel>
export const createCodeModel = (connection: Connection) => connection.model('OneTimeCode', codeSchema)
