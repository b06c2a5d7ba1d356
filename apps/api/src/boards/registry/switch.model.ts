import { Schema, type Connection, type Model, type Types } from 'mongoose'
import { addSearchKeys } from '../../platform/store/lists/search-keys.ts'

/** What people add to an outlet. State, owner and room are the board's; `list` copies them for lists only. */
export interface SwitchDocument {
  _id: Types.ObjectId
  deviceId: Types.ObjectId
  switchIndex: number
  switchName: string
  isFavorite: boolean
  /** Counts the schedules assigned to it, so that a concurrent removal notices them. */
  planned?: number
  /** Columns copied from its board, for sorting and searching. */
  list?: { deviceName: string; deviceType: string; room: string | null; type: string; status: boolean }
  searchKeys?: Record<string, string[]>
  createdAt: Date
  updatedAt: Date
}

export function createSwitchModel(connection: Connection): Model<SwitchDocument> {
  const schema = new Schema<SwitchDocument>(
    {
      deviceId: { type: Schema.Types.ObjectId, required: true },
      switchIndex: { type: Number, required: true },
      switchName: { type: String, required: true },
      isFavorite: { type: Boolean, default: false },
      planned: Number,
      list: { deviceName: String, deviceType: String, room: String, type: { type: String }, status: Boolean }
    },
    { versionKey: false, timestamps: true, collection: 'switches' }
  )
  schema.index({ deviceId: 1, switchIndex: 1 }, { unique: true })
  schema.index({ isFavorite: 1, deviceId: 1 })
  schema.index({ isFavorite: 1, createdAt: -1, _id: -1 })
  schema.index({ createdAt: -1, _id: -1 })
  // The columns that staff may sort by; ties are broken by id.
  for (const column of [
    'switchName',
    'switchIndex',
    'isFavorite',
    'deviceId',
    'list.deviceName',
    'list.room',
    'list.type',
    'list.status'
  ]) {
    schema.index({ [column]: 1, _id: 1 })
    // Favourites are few, and may all stand at the end of another order.
    if (column !== 'isFavorite') {
      schema.index({ isFavorite: 1, [column]: 1, _id: 1 }, { partialFilterExpression: { isFavorite: true } })
    }
  }
  addSearchKeys(schema, ['switchName'])
  return connection.model<SwitchDocument>('Switch', schema)
}
