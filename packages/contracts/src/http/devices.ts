import { z } from 'zod'
import { deviceFirmware, firmwareVersion } from '../firmware.ts'
import { boardMac, objectId } from '../ids.ts'
import { indexListShape } from '../outlets.ts'
import { deviceFilter, deviceHealth } from './device-filter.ts'
import { claimProgress, deviceAuthRequest, deviceClaim, deviceCredentials } from './device-onboarding.ts'
import {
  hostText,
  idParams,
  instantText,
  isoDate,
  isWifiName,
  lineAsTyped,
  lineText,
  pageInfo,
  portNumber,
  requiredLine,
  sortedQuery
} from './fields.ts'
import { adminOnly, everyoneWith, open, ownerOrAdmin, route } from './route.ts'

/** The owner of a device, as shown with it. */
export const ownerSummary = z.object({
  _id: z.string(),
  name: z.string(),
  email: z.string().optional(),
  phone: z.string().nullable().optional()
})
export const roomSummary = z.object({ _id: z.string(), roomName: z.string() })

/** The version that a board is kept at, and until when (null: until it is unpinned). Rollouts skip the board. */
export const pinnedVersion = z.object({ version: z.string(), reason: z.string(), endsAt: isoDate.nullable() })
const pinnedVersionInput = z.object({
  version: firmwareVersion,
  reason: lineText(200).default(''),
  endsAt: instantText.nullable().default(null)
})
export type PinnedVersion = z.infer<typeof pinnedVersion>

/** A board. `switch`, `speed` and `isOnline` are what the board itself reported. Only its owner gets `wifiPassword`. */
export const deviceRecord = z.object({
  _id: z.string(),
  deviceMac: z.string(),
  deviceCode: z.string(),
  deviceName: z.string(),
  setName: z.string(),
  setRoom: roomSummary.nullable(),
  userId: ownerSummary.nullable(),
  switch: z.array(z.boolean()),
  speed: z.array(z.int()),
  ...indexListShape,
  isOnline: z.boolean(),
  lastSeen: isoDate.nullable(),
  /** When it last came online or went offline: the badge's "since". */
  onlineChangedAt: isoDate.nullable(),
  bootId: z.string(),
  seq: z.int(),
  /** In milliseconds, as `at` of the socket's messages: `bootId`, `seq` and it name one report. */
  stateAt: z.int(),
  wifiSSID: z.string(),
  wifiPassword: z.string().optional(),
  wifiRSSI: z.int().nullable(),
  activeColor: z.string(),
  timezone: z.string(),
  hwModel: z.string(),
  osVersion: z.string(),
  /** The update in progress; null if there is none. */
  firmware: deviceFirmware.nullable(),
  /** Labels by which staff group boards; visible to staff only, like the pin. */
  labels: z.array(z.string()).optional(),
  pinnedVersion: pinnedVersion.nullable().optional(),
  remoteCode: z.string(),
  localIp: z.string(),
  localHost: z.string(),
  from: z.string(),
  deviceImage: z.string().nullable(),
  serverUrl: z.string(),
  serverPort: z.int().nullable(),
  mqttPort: z.int().nullable(),
  configRev: z.int(),
  configConfirmedRev: z.int(),
  health: deviceHealth,
  createdBy: z.string().nullable(),
  updatedBy: z.string().nullable(),
  createdAt: isoDate,
  updatedAt: isoDate
})
export type DeviceRecord = z.infer<typeof deviceRecord>

/** `owner` and `userId` both sort by the owner's name, `room` and `setRoom` both by the room's name. */
const deviceQuery = sortedQuery([
  'owner',
  'userId',
  'phone',
  'email',
  'deviceMac',
  'deviceName',
  'setName',
  'deviceCode',
  'hwModel',
  'wifiSSID',
  'wifiRSSI',
  'room',
  'setRoom',
  'isOnline',
  'lastSeen',
  'createdAt',
  'osVersion',
  'health'
])
const deviceList = z.object({ devices: z.array(deviceRecord), ...pageInfo })

export const listDevices = route({
  method: 'get',
  path: '/devices',
  summary: "The caller's boards; all boards for staff",
  access: everyoneWith('view devices'),
  errors: ['NOT_FOUND'],
  query: deviceQuery.extend(deviceFilter.shape),
  rows: 'devices',
  answer: deviceList
})
export const listDevicesByRoom = route({
  method: 'get',
  path: '/devices/by-room/{roomId}',
  summary: 'The boards of one room',
  access: everyoneWith('view devices'),
  params: z.object({ roomId: objectId }),
  query: deviceQuery,
  rows: 'devices',
  answer: deviceList
})
export const getDevice = route({
  method: 'get',
  path: '/devices/{id}',
  summary: 'One board',
  access: everyoneWith('view devices'),
  params: idParams,
  answer: deviceRecord,
  shape: 'record'
})
export const createDevice = route({
  method: 'post',
  path: '/devices',
  summary: 'Add a board for a user; it comes online once it is set up',
  access: adminOnly,
  errors: ['NOT_FOUND', 'CONFLICT', 'LIMIT_REACHED'],
  body: z.object({
    userId: objectId,
    deviceCode: requiredLine(64),
    hwModel: lineText(64).optional(),
    deviceMac: boardMac,
    roomId: z.union([objectId, z.literal('').transform(() => null)]).nullish()
  }),
  answer: deviceRecord,
  shape: 'record',
  status: 201,
  message: 'Device added successfully!'
})

const roomChoice = z.union([
  objectId,
  z.literal('').transform(() => null),
  z.object({ _id: objectId }).transform((room) => room._id)
])
const wifiName = lineAsTyped(32).refine(
  isWifiName,
  'must be at most 32 bytes: letters outside A to Z take two or three each'
)
/** An empty password keeps the stored one. */
const wifiSecret = z
  .string()
  .trim()
  .max(64, 'must be at most 64 characters')
  .refine(
    (secret) => secret === '' || secret.length >= 8,
    'must have at least 8 characters, as every Wi-Fi password has'
  )
const colour = lineText(64)

export const updateDevice = route({
  method: 'patch',
  path: '/devices/{id}',
  summary: 'Change what people set: name, room, Wi-Fi, colour; staff also owner and server addresses',
  access: ownerOrAdmin,
  errors: ['LIMIT_REACHED'],
  params: idParams,
  body: z.object({
    setName: requiredLine(100).optional(),
    setRoom: roomChoice.nullish(),
    setRoomName: lineText(100).nullish(),
    name: requiredLine(100).optional(),
    roomId: roomChoice.nullish(),
    deviceId: objectId.optional(),
    userId: objectId.optional(),
    wifiSSID: wifiName.optional(),
    wifiPassword: wifiSecret.optional(),
    activeColor: colour.optional(),
    timezone: lineText(64).optional(),
    osVersion: lineText(64).optional(),
    remoteCode: lineText(128).optional(),
    serverUrl: hostText.optional(),
    serverPort: portNumber.optional(),
    mqttPort: portNumber.optional(),
    labels: z
      .array(requiredLine(32))
      .max(8, 'must be at most 8 labels')
      .transform((labels) => [...new Set(labels)])
      .optional(),
    pinnedVersion: pinnedVersionInput.nullish()
  }),
  forbiddenToUsers: ['osVersion', 'remoteCode', 'serverUrl', 'serverPort', 'mqttPort', 'labels', 'pinnedVersion'],
  answer: deviceRecord,
  shape: 'record',
  message: 'Device updated'
})
export const deleteDevice = route({
  method: 'delete',
  path: '/devices/{id}',
  summary: 'Unclaim a board: its credentials die at once',
  access: ownerOrAdmin,
  params: idParams,
  message: 'Device deleted'
})

export const createDeviceClaim = route({
  method: 'post',
  path: '/device-claims',
  summary: 'A pairing code: 80 bits, 10 minutes, single use',
  access: ownerOrAdmin,
  body: z.object({}).optional(),
  answer: deviceClaim,
  status: 201,
  message: 'Pairing code made.'
})
export const getDeviceClaim = route({
  method: 'get',
  path: '/device-claims/{id}',
  summary: 'How far a pairing has come',
  access: ownerOrAdmin,
  params: idParams,
  answer: claimProgress
})
export const deviceAuth = route({
  method: 'post',
  path: '/device-auth',
  summary: 'A board asks for its MQTT credentials',
  access: open,
  errors: ['DEVICE_TYPE_UNKNOWN', 'DEVICE_REFUSED', 'LIMIT_REACHED'],
  body: deviceAuthRequest,
  answer: deviceCredentials,
  status: 201,
  message: 'Welcome.'
})
