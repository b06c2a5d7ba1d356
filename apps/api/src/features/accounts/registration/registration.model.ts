import { languages } from '@batti/contracts'
import { Schema, type Connection, type Types } from 'mongoose'
import type { Language } from '../../../platform/people/account-directory.ts'

/** A sign-up that waits for its code: no account and no file, and it expires. */
export interface RegistrationDocument {
  _id: Types.ObjectId
  emailKey: string
  email: string
  name: string
  phone: string
  address: string
  language: Language
  passwordHash: string
  image: Buffer | null
  tokenHash: string
  codeHash: string
  attempts: number
  /** Digest of the requester: the same client is told to wait, others learn nothing. */
  client: string
  createdAt: Date
  codeExpiresAt: Date
  expiresAt: Date
}

const registrationSchema = new Schema<RegistrationDocument>(
  {
    emailKey: { type: String, required: true },
    email: { type: String, required: true },
    name: { type: String, required: true },
    phone: { type: String, required: true },
    address: { type: String, required: true },
    language: { type: String, enum: languages, default: 'en' },
    passwordHash: { type: String, required: true },
    image: { type: Buffer, default: null },
    tokenHash: { type: String, required: true },
    codeHash: { type: String, required: true },
    attempts: { type: Number, default: 0 },
    client: { type: String, required: true },
    createdAt: { type: Date, required: true },
    codeExpiresAt: { type: Date, required: true },
    expiresAt: { type: Date, required: true }
  },
  { collection: 'registrations', versionKey: false }
)
registrationSchema.index({ emailKey: 1 }, { unique: true })
registrationSchema.index({ tokenHash: 1 })
registrationSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 })

export type RegistrationModel = ReturnType<typeof createRegistrationModel>
export const createRegistrationModel = (connection: Connection) => connection.model('Registration', registrationSchema)
