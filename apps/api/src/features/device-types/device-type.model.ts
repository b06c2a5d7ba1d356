import { Schema, type Connection, type Model, type Types } from 'mongoose'

export interface DeviceTypeDocument {
  _id: Types.ObjectId
  deviceCode: string
  deviceName: string
  hwModel: string
  description: string
  numberOfSwitches: number
  numberOfFans: number
  numberOfSockets: number
  fanIndexes: number[]
  socketIndexes: number[]
  deviceImage: string | null
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
      fanIndexes: [Number],
      socketIndexes: [Number],
      deviceImage: { type: String, default: null }
    },
    { versionKey: false, timestamps: true, collection: 'deviceTypes' }
  )
  schema.index({ deviceCode: 1, hwModel: 1 }, { unique: true })
  schema.index({ createdAt: -1 })
  return connection.model<DeviceTypeDocument>('DeviceType', schema)
}

type Seed = Pick<
  DeviceTypeDocument,
  'deviceCode' | 'hwModel' | 'deviceName' | 'description' | 'numberOfSwitches' | 'fanIndexes' | 'socketIndexes'
>

/** The four kinds of board that an empty database starts with. `numberOfSwitches` counts all outlets. Source: wire §1. */
export const firstDeviceTypes: readonly Seed[] = [
  {
    deviceCode: 'BT4',
    hwModel: 'batti-wall-4',
    deviceName: 'Wall 4',
    description: 'Wall board with four switches',
    numberOfSwitches: 4,
    fanIndexes: [],
    socketIndexes: []
  },
  {
    deviceCode: 'BTF',
    hwModel: 'batti-wall-fan',
    deviceName: 'Wall fan',
    description: 'Wall board with two switches, a fan and a socket',
    numberOfSwitches: 4,
    fanIndexes: [2],
    socketIndexes: [3]
  },
  {
    deviceCode: 'BTS',
    hwModel: 'batti-strip',
    deviceName: 'Strip',
    description: 'Strip of four sockets',
    numberOfSwitches: 4,
    fanIndexes: [],
    socketIndexes: [0, 1, 2, 3]
  },
  {
    deviceCode: 'BT1',
    hwModel: 'batti-single',
    deviceName: 'Single',
    description: 'Single switch',
    numberOfSwitches: 1,
    fanIndexes: [],
    socketIndexes: []
  }
]
