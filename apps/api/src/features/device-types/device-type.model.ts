import { forEachList, everyList, newOutlets, outletsToWire, type IndexLists } from '@batti/contracts'
import { boardTypes } from '@batti/contracts/board-types'
import { Schema, type Connection, type Model, type Types } from 'mongoose'

export interface DeviceTypeDocument extends IndexLists {
  _id: Types.ObjectId
  deviceCode: string
  deviceName: string
  hwModel: string
  description: string
  numberOfSwitches: number
  numberOfFans: number
  numberOfSockets: number
  deviceImage: string | null
  /** Incremented with each board of this type. */
  usedRev?: number
  createdAt: Date
  updatedAt: Date
}

export function createDeviceTypeModel(connection: Connection): Model<DeviceTypeDocument> {
  const schema = new Schema<DeviceTypeDocument>(
    {
      deviceCode: { type: String, required: true },
      deviceName: { type: String, required: true },
      hwModel: { type: String, required: true },
      description: { type: String, default: '' },
      numberOfSwitches: { type: Number, required: true },
      numberOfFans: { type: Number, default: 0 },
      numberOfSockets: { type: Number, default: 0 },
      ...forEachList([Number]),
      deviceImage: { type: String, default: null },
      usedRev: Number
    },
    { versionKey: false, timestamps: true, collection: 'deviceTypes' }
  )
  schema.index({ deviceCode: 1, hwModel: 1 }, { unique: true })
  schema.index({ createdAt: -1, _id: -1 })
  return connection.model<DeviceTypeDocument>('DeviceType', schema)
}

/** The device types that an empty database is seeded with. `numberOfSwitches` counts all outlets. */
export const firstDeviceTypes = Object.values(boardTypes).map(
  ({ deviceCode, hwModel, deviceName, description, outlets }) => {
    const lists = everyList(outletsToWire(newOutlets(outlets)))
    return {
      deviceCode,
      hwModel,
      deviceName,
      description,
      numberOfSwitches: outlets.length,
      numberOfFans: lists.fanIndexes.length,
      numberOfSockets: lists.socketIndexes.length,
      ...lists
    }
  }
)
