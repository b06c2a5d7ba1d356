import type { FirmwareState } from '@batti/contracts'
import { Schema, type Connection, type Model, type Types } from 'mongoose'

export interface FirmwareFileDocument {
  _id: Types.ObjectId
  filename: string
  version: string
  /** The version with padded numbers, so that text order is version order. */
  versionOrder: string
  size: number
  sha256: string
  /** From the signature block; null if the image is unsigned, or no keys were trusted at its upload. */
  hwModel: string | null
  keyId: string | null
  secureVersion: number | null
  state: FirmwareState
  from: { min: string } | null
  uploadedBy: Types.ObjectId | null
  /** Incremented with each rollout of this file. */
  usedRev?: number
  createdAt: Date
}

export function createFirmwareFileModel(connection: Connection): Model<FirmwareFileDocument> {
  const schema = new Schema<FirmwareFileDocument>(
    {
      filename: { type: String, required: true },
      version: { type: String, required: true },
      versionOrder: { type: String, required: true },
      size: { type: Number, required: true },
      sha256: { type: String, required: true },
      hwModel: { type: String, default: null },
      keyId: { type: String, default: null },
      secureVersion: { type: Number, default: null },
      state: { type: String, required: true },
      from: { type: Schema.Types.Mixed, default: null },
      uploadedBy: { type: Schema.Types.ObjectId, default: null },
      usedRev: Number,
      createdAt: { type: Date, required: true }
    },
    { versionKey: false, collection: 'firmwareFiles' }
  )
  schema.index({ filename: 1 }, { unique: true })
  schema.index({ hwModel: 1, version: 1 }, { unique: true })
  schema.index({ versionOrder: -1 })
  return connection.model<FirmwareFileDocument>('FirmwareFile', schema)
}
