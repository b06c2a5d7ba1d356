import { Schema, type Connection, type Model, type Types } from 'mongoose'

export interface RoomDocument {
  _id: Types.ObjectId
  userId: Types.ObjectId
  roomName: string
  createdAt: Date
  updatedAt: Date
}

export function createRoomModel(connection: Connection): Model<RoomDocument> {
  const schema = new Schema<RoomDocument>(
    { userId: { type: Schema.Types.ObjectId, required: true }, roomName: { type: String, required: true } },
    { versionKey: false, timestamps: true, collection: 'rooms' }
  )
  schema.index({ userId: 1, createdAt: 1, _id: 1 })
  schema.index({ createdAt: -1, _id: -1 })
  schema.index({ roomName: 1, _id: 1 })
  return connection.model<RoomDocument>('Room', schema)
}
