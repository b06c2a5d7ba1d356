import { z } from 'zod'
import { objectId } from '../ids.ts'
import { idParams, isoDate, pageInfo, requiredLine, sortedQuery } from './fields.ts'
import { everyoneWith, ownerOrAdmin, route } from './route.ts'

export const roomRecord = z.object({
  _id: z.string(),
  roomName: z.string(),
  deviceCount: z.int(),
  onlineCount: z.int(),
  /** How many outlets of the room's boards are on now. */
  onCount: z.int(),
  userId: z.string(),
  /** In the list for staff. */
  owner: z.object({ _id: z.string(), name: z.string() }).optional(),
  createdAt: isoDate
})
export type RoomRecord = z.infer<typeof roomRecord>

const body = z.object({ roomName: requiredLine(100, 'Room name is required'), userId: objectId.optional() })
const forbidden = ['createdBy']

export const listRooms = route({
  method: 'get',
  path: '/rooms',
  summary: "The caller's rooms; staff may name a user",
  access: everyoneWith('view devices'),
  errors: ['NOT_FOUND'],
  query: sortedQuery(['roomName', 'deviceCount', 'onlineCount', 'createdAt']).extend({ userId: objectId.optional() }),
  rows: 'rooms',
  answer: z.object({ rooms: z.array(roomRecord), ...pageInfo })
})
export const createRoom = route({
  method: 'post',
  path: '/rooms',
  summary: 'Add a room',
  access: ownerOrAdmin,
  errors: ['NOT_FOUND', 'LIMIT_REACHED'],
  body,
  forbidden,
  answer: roomRecord,
  shape: 'record',
  status: 201,
  message: 'Room created.'
})
export const updateRoom = route({
  method: 'patch',
  path: '/rooms/{id}',
  summary: 'Rename a room',
  access: ownerOrAdmin,
  params: idParams,
  body,
  forbidden,
  answer: roomRecord,
  shape: 'record',
  message: 'Room updated.'
})
export const replaceRoom = route({ ...updateRoom, method: 'put' })
export const deleteRoom = route({
  method: 'delete',
  path: '/rooms/{id}',
  summary: 'Delete a room; its boards go to `moveTo`, else to no room',
  access: ownerOrAdmin,
  params: idParams,
  query: z.object({ moveTo: objectId.optional() }),
  message: 'Room deleted.'
})
