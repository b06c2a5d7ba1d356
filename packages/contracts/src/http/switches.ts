import { z } from 'zod'
import { levelMax } from '../constants.ts'
import { objectId } from '../ids.ts'
import { outletKinds } from '../outlets.ts'
import { roomSummary } from './devices.ts'
import { idParams, isoDate, outletIndexText, pageInfo, requiredLine, sortedQuery } from './fields.ts'
import { adminOnly, everyoneWith, route } from './route.ts'

/** An outlet and what people added to it; `status`, `speed`, `isOnline` and `roomId` come from its device. */
export const switchRecord = z.object({
  _id: z.string(),
  switchName: z.string(),
  switchIndex: z.int(),
  deviceId: z.string(),
  deviceMac: z.string(),
  deviceName: z.string(),
  roomId: roomSummary.nullable(),
  type: z.enum(outletKinds),
  isFavorite: z.boolean(),
  status: z.boolean(),
  speed: z.int(),
  isOnline: z.boolean(),
  userId: z.string().nullable(),
  createdAt: isoDate
})
export type SwitchRecord = z.infer<typeof switchRecord>

const switchName = requiredLine(100, "Name can't be empty")
const forbidden = ['createdBy']
const adminBody = z.object({
  switchName: switchName.optional(),
  switchIndex: outletIndexText.optional(),
  status: z.boolean().optional(),
  isFavorite: z.boolean().optional(),
  deviceId: objectId.optional()
})

/** `deviceId` limits the list to the switches of one board. */
const switchQuery = sortedQuery([
  'switchName',
  'deviceName',
  'deviceId',
  'roomId',
  'switchIndex',
  'type',
  'status',
  'isFavorite',
  'createdAt'
]).extend({ deviceId: objectId.optional() })

export const listSwitches = route({
  method: 'get',
  path: '/switches',
  summary: "The caller's switches; all switches for staff, as a bare list",
  access: everyoneWith('view switches'),
  query: switchQuery,
  rows: 'switches',
  answer: z.object({ data: z.array(switchRecord), switches: z.array(switchRecord), ...pageInfo }),
  bareListForStaff: 'switches'
})
export const listFavoriteSwitches = route({
  method: 'get',
  path: '/favorite-switches',
  summary: 'Favourite switches',
  access: everyoneWith('view switches'),
  query: switchQuery,
  rows: 'switches',
  answer: z.object({ switches: z.array(switchRecord), ...pageInfo })
})
export const getSwitch = route({
  method: 'get',
  path: '/switches/by-id/{id}',
  summary: 'One switch',
  access: everyoneWith('view switches'),
  params: idParams,
  answer: switchRecord,
  shape: 'record'
})
export const getSwitchByDevice = route({
  method: 'get',
  path: '/switches/by-device/{deviceId}/{index}',
  summary: 'One switch by its board and index',
  access: everyoneWith('view switches'),
  params: z.object({ deviceId: objectId, index: outletIndexText }),
  answer: switchRecord,
  shape: 'record'
})
export const updateSwitch = route({
  method: 'patch',
  path: '/switches/by-id/{id}',
  summary: 'Rename, favourite, or command a switch: `status` waits for the board (200, 409 offline, 504 no answer)',
  access: everyoneWith('control switches'),
  errors: ['DEVICE_OFFLINE', 'UNPROCESSABLE', 'DEVICE_NO_RESPONSE', 'CONFLICT'],
  params: idParams,
  body: z.object({
    switchName: switchName.optional(),
    isFavorite: z.boolean().optional(),
    status: z.boolean().optional(),
    speed: z.int().min(0).max(levelMax).optional()
  }),
  forbidden,
  answer: switchRecord,
  shape: 'record',
  message: 'Switch updated.'
})
export const createSwitch = route({
  method: 'post',
  path: '/switches',
  summary: 'Add a switch record to a board',
  access: adminOnly,
  errors: ['NOT_FOUND', 'CONFLICT', 'DEVICE_OFFLINE', 'UNPROCESSABLE', 'DEVICE_NO_RESPONSE'],
  body: adminBody.extend({ switchName, switchIndex: outletIndexText, deviceId: objectId }),
  forbidden,
  answer: switchRecord,
  shape: 'record',
  status: 201,
  message: 'Switch created.'
})
export const updateSwitchRecord = route({
  method: 'patch',
  path: '/switches/{id}',
  summary: 'Change a switch record',
  access: adminOnly,
  errors: ['CONFLICT', 'DEVICE_OFFLINE', 'UNPROCESSABLE', 'DEVICE_NO_RESPONSE'],
  params: idParams,
  body: adminBody,
  forbidden,
  answer: switchRecord,
  shape: 'record',
  message: 'Switch updated.'
})
export const deleteSwitch = route({
  method: 'delete',
  path: '/switches/{id}',
  summary: 'Delete a switch record',
  access: adminOnly,
  params: idParams,
  message: 'Switch deleted.'
})
