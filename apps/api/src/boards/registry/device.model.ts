import { forEachList, type HealthReason, type IndexLists } from '@batti/contracts'
import { addSearchKeys } from '../../platform/store/lists/search-keys.ts'
import { Schema, type Connection, type Model, type Types } from 'mongoose'

/**
 * A board in the database. `switch`, `speed`, `isOnline`, `bootId` and `seq` are written from the board's own messages
 * only. Outlets are stored in wire format: a report is written as received, and older databases stay readable.
 */
export interface DeviceDocument extends IndexLists {
  _id: Types.ObjectId
  deviceMac: string
  deviceCode: string
  deviceName: string
  hwModel: string
  setName: string
  setRoom: Types.ObjectId | null
  userId: Types.ObjectId | null
  switch: boolean[]
  speed: number[]
  isOnline: boolean
  onlineChangedAt: Date | null
  lastSeen: Date | null
  bootId: string
  seq: number
  earlierBoots: string[]
  stateAt: number
  /** Counts the connections of the current boot. */
  conn: number
  wifiSSID: string
  /** Sealed with AES-256-GCM; empty when unknown. */
  wifiPassword: string
  wifiRSSI: number | null
  activeColor: string
  timezone: string
  osVersion: string
  /** The boot in which the board reported `osVersion`. */
  osBootId: string
  remoteCode: string
  localIp: string
  localHost: string
  from: string
  serverUrl: string
  serverPort: number | null
  mqttPort: number | null
  configRev: number
  configConfirmedRev: number
  schedulesRev: number
  schedulesConfirmedRev: number
  /** SHA-256 of the MQTT password. `pendingHash` replaces `credentialHash` at the first CONNECT that uses it. */
  credentialHash: string | null
  pendingHash: string | null
  /** Health problems, as counted from its messages. */
  healthReasons: HealthReason[]
  /** 100 minus the weights of the reasons. */
  healthScore: number
  /** Since when each reason holds. */
  healthSince: Partial<Record<HealthReason, Date>>
  labels: string[]
  pinnedVersion: { version: string; reason: string; endsAt: Date | null } | null
  /** Columns copied from related records, for sorting and searching. */
  list?: { owner: string | null; email: string | null; phone: string | null; room: string | null; version: string }
  searchKeys?: Record<string, string[]>
  /** Since when it has its current owner. */
  ownedSince: Date | null
  createdBy: Types.ObjectId | null
  updatedBy: Types.ObjectId | null
  createdAt: Date
  updatedAt: Date
}

/** The names of a board; searched by substring. */
export const namedFields = ['deviceName', 'setName', 'deviceCode'] as const

type Reference = 'userId' | 'setRoom' | 'createdBy' | 'updatedBy'
/** Fields to write, with ids as strings, as in the rest of the product. */
export type DeviceInput = Omit<Partial<DeviceDocument>, Reference> & { [Field in Reference]?: string | null }

const reference = { type: Schema.Types.ObjectId, default: null }
const text = { type: String, default: '' }
const count = { type: Number, default: 0 }

export function createDeviceModel(connection: Connection): Model<DeviceDocument> {
  const schema = new Schema<DeviceDocument>(
    {
      deviceMac: { type: String, required: true },
      deviceCode: { type: String, required: true },
      deviceName: { type: String, required: true },
      hwModel: { type: String, required: true },
      setName: text,
      setRoom: reference,
      userId: reference,
      switch: [Boolean],
      speed: [Number],
      ...forEachList([Number]),
      isOnline: { type: Boolean, default: false },
      onlineChangedAt: { type: Date, default: null },
      lastSeen: { type: Date, default: null },
      bootId: text,
      seq: count,
      earlierBoots: [String],
      stateAt: count,
      conn: count,
      wifiSSID: text,
      wifiPassword: text,
      wifiRSSI: { type: Number, default: null },
      activeColor: text,
      timezone: text,
      osVersion: text,
      osBootId: text,
      remoteCode: text,
      localIp: text,
      localHost: text,
      from: text,
      serverUrl: text,
      serverPort: { type: Number, default: null },
      mqttPort: { type: Number, default: null },
      configRev: count,
      configConfirmedRev: count,
      schedulesRev: count,
      schedulesConfirmedRev: count,
      credentialHash: { type: String, default: null },
      pendingHash: { type: String, default: null },
      healthReasons: { type: [String], default: () => ['never-seen'] },
      healthScore: { type: Number, default: 0 },
      healthSince: { type: Schema.Types.Mixed, default: () => ({}) },
      labels: [String],
      pinnedVersion: {
        type: new Schema({ version: String, reason: String, endsAt: Date }, { _id: false }),
        default: null
      },
      list: { owner: String, email: String, phone: String, room: String, version: String },
      ownedSince: { type: Date, default: null },
      createdBy: reference,
      updatedBy: reference
    },
    { versionKey: false, timestamps: true, collection: 'devices' }
  )
  schema.index({ deviceMac: 1 }, { unique: true })
  schema.index({ userId: 1, createdAt: 1, _id: 1 })
  schema.index({ setRoom: 1 })
  schema.index({ isOnline: 1, createdAt: -1, _id: -1 })
  schema.index({ healthReasons: 1 })
  schema.index({ labels: 1 })
  schema.index({ hwModel: 1, osVersion: 1 })
  schema.index({ hwModel: 1, isOnline: 1, osVersion: 1 })
  schema.index({ createdAt: -1, _id: -1 })
  schema.index({ isOnline: 1, lastSeen: 1, _id: 1 })
  schema.index(
    { pendingHash: 1, isOnline: 1 },
    { partialFilterExpression: { credentialHash: null, pendingHash: null } }
  )
  // The columns that staff may sort by; ties are broken by id.
  for (const column of [
    'deviceName',
    'setName',
    'deviceCode',
    'hwModel',
    'osVersion',
    'wifiSSID',
    'isOnline',
    'healthScore',
    'deviceMac',
    'wifiRSSI',
    'list.owner',
    'list.email',
    'list.phone',
    'list.room',
    'list.version'
  ]) {
    schema.index({ [column]: 1, _id: 1 })
  }
  const form = (mac: string): string => mac.replaceAll(':', '').toLowerCase()
  addSearchKeys(schema, [...namedFields, { field: 'deviceMac', form }])
  return connection.model<DeviceDocument>('Device', schema)
}
