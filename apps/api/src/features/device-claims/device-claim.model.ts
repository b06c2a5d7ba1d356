import type { claimSteps } from '@batti/contracts'
import { Schema, type Connection, type Model, type Types } from 'mongoose'

export type ClaimStep = (typeof claimSteps)[number]

/** An unexpired pairing code. The code itself is not stored. */
export interface DeviceClaimDocument {
  _id: Types.ObjectId
  userId: Types.ObjectId
  codeHash: string
  step: ClaimStep
  detail: string | null
  deviceId: Types.ObjectId | null
  usedAt: Date | null
  /** MAC of the board that used the code. */
  usedBy: string | null
  /** When a board without a code used the window; the code stays valid for the board that sends it. */
  windowUsedAt: Date | null
  /** The request that got credentials, as its hash, and when. */
  answered: { to: string; at: Date } | null
  expiresAt: Date
  createdAt: Date
}

const keepAfterExpiryS = 24 * 3600

export function createDeviceClaimModel(connection: Connection): Model<DeviceClaimDocument> {
  const schema = new Schema<DeviceClaimDocument>(
    {
      userId: { type: Schema.Types.ObjectId, required: true },
      codeHash: { type: String, required: true },
      step: { type: String, default: 'waiting' },
      detail: { type: String, default: null },
      deviceId: { type: Schema.Types.ObjectId, default: null },
      usedAt: { type: Date, default: null },
      usedBy: { type: String, default: null },
      windowUsedAt: { type: Date, default: null },
      answered: { type: Schema.Types.Mixed, default: null },
      expiresAt: { type: Date, required: true },
      createdAt: { type: Date, required: true }
    },
    { versionKey: false, collection: 'deviceClaims' }
  )
  schema.index({ codeHash: 1 }, { unique: true })
  schema.index({ userId: 1, createdAt: -1 })
  schema.index({ deviceId: 1, step: 1 })
  schema.index({ expiresAt: 1 }, { expireAfterSeconds: keepAfterExpiryS })
  return connection.model<DeviceClaimDocument>('DeviceClaim', schema)
}
