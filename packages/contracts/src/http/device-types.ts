import { z } from 'zod'
import { idParams, isoDate, lineText, pageInfo, requiredLine, sortedQuery, wholeNumber } from './fields.ts'
import { forEachList, indexListShape } from '../outlets.ts'
import { adminOnly, route, staffWith } from './route.ts'

export const deviceTypeRecord = z.object({
  _id: z.string(),
  deviceCode: z.string(),
  deviceName: z.string(),
  hwModel: z.string(),
  description: z.string(),
  numberOfSwitches: z.int(),
  numberOfFans: z.int(),
  numberOfSockets: z.int(),
  ...indexListShape,
  deviceImage: z.string().nullable(),
  createdAt: isoDate
})
export type DeviceTypeRecord = z.infer<typeof deviceTypeRecord>

/** All fields of a multipart form are text: numbers are parsed from it, and lists arrive as JSON arrays. */
const count = wholeNumber(0, 64)
const indexFault = 'must be a JSON array of whole numbers such as [2,3]'
const indexes = z.array(z.int(indexFault).min(0, indexFault).max(63, indexFault))
const indexList = z.union(
  [
    indexes,
    z.string().transform((text, context) => {
      try {
        const parsed = indexes.safeParse(text.trim() === '' ? [] : JSON.parse(text))
        if (parsed.success) return parsed.data
      } catch {
        // Not JSON: the issue below is reported.
      }
      context.addIssue({ code: 'custom', message: indexFault })
      return z.NEVER
    })
  ],
  // Only the union's own error is reported, not those of its members.
  { error: indexFault }
)
const body = z.object({
  deviceCode: requiredLine(64),
  deviceName: requiredLine(100),
  hwModel: requiredLine(64),
  description: lineText(1000).default(''),
  numberOfSwitches: count,
  numberOfFans: count.default(0),
  numberOfSockets: count.default(0),
  ...forEachList(indexList.default([]))
})
const forbidden = ['createdBy']

export const listDeviceTypes = route({
  method: 'get',
  path: '/device-types',
  summary: 'The kinds of board that are sold',
  access: staffWith('view devices'),
  query: sortedQuery([
    'deviceCode',
    'deviceName',
    'hwModel',
    'description',
    'numberOfSwitches',
    'numberOfFans',
    'fanIndexes',
    'numberOfSockets',
    'socketIndexes',
    'dimmerIndexes',
    'createdAt'
  ]),
  rows: 'deviceTypes',
  answer: z.object({ deviceTypes: z.array(deviceTypeRecord), ...pageInfo })
})
export const getDeviceType = route({
  method: 'get',
  path: '/device-types/{id}',
  summary: 'One kind of board',
  access: staffWith('view devices'),
  params: idParams,
  answer: deviceTypeRecord,
  shape: 'record'
})
export const createDeviceType = route({
  method: 'post',
  path: '/device-types',
  summary: 'Add a kind of board',
  access: adminOnly,
  errors: ['CONFLICT'],
  multipart: { file: 'deviceImage' },
  body,
  forbidden,
  answer: deviceTypeRecord,
  shape: 'record',
  status: 201,
  message: 'Device type created.'
})
export const updateDeviceType = route({
  method: 'patch',
  path: '/device-types/{id}',
  summary: 'Change a kind of board',
  access: adminOnly,
  errors: ['CONFLICT'],
  params: idParams,
  multipart: { file: 'deviceImage' },
  // No defaults here: a field that is not sent stays unchanged.
  body: z
    .object({
      ...body.shape,
      description: lineText(1000),
      numberOfFans: count,
      numberOfSockets: count,
      ...forEachList(indexList)
    })
    .partial(),
  forbidden,
  answer: deviceTypeRecord,
  shape: 'record',
  message: 'Device type updated.'
})
export const deleteDeviceType = route({
  method: 'delete',
  path: '/device-types/{id}',
  summary: 'Delete a kind of board that no board is of',
  access: adminOnly,
  errors: ['CONFLICT'],
  params: idParams,
  message: 'Device type deleted.'
})
