import type { ChangeCause, SwitchSetting } from '@batti/contracts'
import { Schema, type Connection, type Model, type Types } from 'mongoose'

export type CommandState = 'sent' | 'confirmed' | 'timeout' | 'failed' | 'expired' | 'superseded'

/**
 * Commands that were not answered at once, and how they ended: for recovery after a restart, and for lookups by other api
 * instances. All other commands are only in the action log.
 */
export interface CommandDocument {
  _id: string
  deviceId: Types.ObjectId
  userId: Types.ObjectId | null
  set: SwitchSetting[]
  cause: ChangeCause
  state: CommandState
  reason?: string
  sentAt: Date
  endedAt?: Date
  expiresAt: Date
}

const keepDays = 30

export function createCommandModel(connection: Connection): Model<CommandDocument> {
  const schema = new Schema<CommandDocument>(
    {
      _id: String,
      deviceId: Schema.Types.ObjectId,
      userId: Schema.Types.ObjectId,
      set: [Schema.Types.Mixed],
      cause: Schema.Types.Mixed,
      state: String,
      reason: String,
      sentAt: Date,
      endedAt: Date,
      expiresAt: Date
    },
    { versionKey: false, collection: 'commands' }
  )
  schema.index({ deviceId: 1, sentAt: -1 })
  schema.index({ sentAt: 1 }, { expireAfterSeconds: keepDays * 86_400 })
  schema.index({ state: 1, expiresAt: 1 }, { partialFilterExpression: { state: 'sent' } })
  return connection.model<CommandDocument>('Command', schema)
}
