import { Schema, type Connection, type Model, type Types } from 'mongoose'
import { addSearchKeys } from '../../platform/store/lists/search-keys.ts'

export interface RoomDocument {
  _id: Types.ObjectId
  userId: Types.ObjectId
  roomName: string
  /** Counts of the boards in it, for sorting. */
  counts?: { devices: number; online: number }
  searchKeys?: Record<string, string[]>
  createdAt: Date
  updatedAt: Date
}

export function createRoomModel(connection: Connection): Model<RoomDocument> {
  const schema = new Schema<RoomDocument>(
    {
      userId: { type: Schema.Types.ObjectId, required: true },
      roomName: { type: String, required: true },
      counts: { devices: { type: Number, default: 0 }, online: { type: Number, default: 0 } }
    },
    { versionKey: false, timestamps: true, collection: 'rooms' }
  )
  schema.index({ userId: 1, createdAt: 1, _id: 1 })
  schema.index({ createdAt: -1, _id: -1 })
  // The columns that staff may sort by; ties are broken by id.
  for (const column of ['roomName', 'counts.devices', 'counts.online']) schema.index({ [column]: 1, _id: 1 })
  addSearchKeys(schema, ['roomName'])
  return connection.model<RoomDocument>('Room', schema)
}
