import { z } from 'zod'
import { firmwareVersion } from '../firmware.ts'
import { isoDate, pageInfo, pageQuery } from './fields.ts'
import { adminOnly, route, staffWith } from './route.ts'

export const firmwareStates = ['draft', 'released', 'withdrawn'] as const
export type FirmwareState = (typeof firmwareStates)[number]

/** `min`: a board below this version must pass through it first. */
export const firmwareFrom = z.object({ min: firmwareVersion })

/**
 * An image for boards. `signed`: its signature was verified with a key that is trusted now. `withdrawn`: it was
 * withdrawn, or its key is no longer trusted; boards never get it. `url` is valid for an hour without a login.
 */
export const firmwareFileRecord = z.object({
  _id: z.string(),
  version: z.string(),
  filename: z.string(),
  url: z.string(),
  size: z.int(),
  sha256: z.string(),
  hwModel: z.string().nullable(),
  signed: z.boolean(),
  keyId: z.string().nullable(),
  secureVersion: z.int().nullable(),
  state: z.enum(firmwareStates),
  from: firmwareFrom.nullable(),
  withdrawn: z.boolean(),
  uploadedBy: z.string().nullable(),
  createdAt: isoDate
})
export type FirmwareFileRecord = z.infer<typeof firmwareFileRecord>

const filenameParams = z.object({ filename: z.string().min(1).max(255) })

const sortColumns = [
  'version',
  'filename',
  'url',
  'size',
  'state',
  'hwModel',
  'keyId',
  'boards',
  'sha256',
  'secureVersion',
  'createdAt'
] as const
/** `asc` and `desc` sort by version. A column name sorts by that column, with a leading minus in descending order. */
const firmwareSort = z.enum(
  ['asc', 'desc', ...sortColumns, ...sortColumns.map((column) => `-${column}` as const)],
  `must be asc, desc or one of ${sortColumns.join(', ')}, with a minus to turn it round`
)
export type FirmwareSort = z.infer<typeof firmwareSort>

export const listFirmwareFiles = route({
  method: 'get',
  path: '/device-firmware-files',
  summary: 'Firmware images, newest version first',
  access: staffWith('view devices'),
  query: pageQuery.extend({ sort: firmwareSort.optional() }),
  rows: 'files',
  answer: z.object({ files: z.array(firmwareFileRecord), ...pageInfo })
})
export const uploadFirmwareFile = route({
  method: 'post',
  path: '/device-firmware-files',
  summary: 'Add an image: a .bin named like name-1.4.2.bin, at most 16 MB',
  access: adminOnly,
  errors: ['CONFLICT', 'UNPROCESSABLE'],
  multipart: { file: 'firmware' },
  body: z.object({ state: z.enum(['draft', 'released']).default('released') }),
  forbidden: ['_id', 'version', 'sha256', 'signed', 'keyId', 'uploadedBy', 'createdAt'],
  answer: firmwareFileRecord,
  shape: 'record',
  status: 201,
  message: 'Upload successful'
})
export const updateFirmwareFile = route({
  method: 'patch',
  path: '/device-firmware-files/{filename}',
  summary: 'Release or withdraw an image, or name the version that boards must pass through first',
  access: adminOnly,
  errors: ['CONFLICT'],
  params: filenameParams,
  body: z
    .object({
      state: z.enum(firmwareStates).optional(),
      from: firmwareFrom.nullish(),
      /** The state as the caller saw it; a change of any other is refused with CONFLICT. */
      seen: z.object({ state: z.enum(firmwareStates) }).optional()
    })
    .refine(({ state, from }) => state !== undefined || from !== undefined, {
      path: ['state'],
      message: 'is required'
    }),
  forbidden: ['_id', 'version', 'sha256', 'signed', 'keyId', 'uploadedBy', 'createdAt'],
  answer: firmwareFileRecord,
  shape: 'record',
  message: 'Firmware file updated.'
})
export const deleteFirmwareFile = route({
  method: 'delete',
  path: '/device-firmware-files/{filename}',
  summary: 'Delete an image that no rollout under way uses',
  access: adminOnly,
  errors: ['CONFLICT'],
  params: filenameParams,
  message: 'Firmware file deleted.'
})
