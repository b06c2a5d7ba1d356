import { z } from 'zod'
import { deviceMac, objectId } from '../ids.ts'
import { isoDate, pageInfo, pageQuery } from './fields.ts'
import { adminOnly, route, staffWith } from './route.ts'

export const firmwareFileRecord = z.object({
  _id: z.string(),
  version: z.string(),
  filename: z.string(),
  url: z.string(),
  size: z.int(),
  sha256: z.string(),
  signed: z.boolean(),
  hwModel: z.string().nullable(),
  createdAt: isoDate
})
export type FirmwareFileRecord = z.infer<typeof firmwareFileRecord>

export const listFirmwareFiles = route({
  method: 'get',
  path: '/device-firmware-files',
  summary: 'Firmware images, newest version first unless `sort=asc`',
  access: staffWith('view devices'),
  query: pageQuery.extend({ sort: z.enum(['asc', 'desc']).optional() }),
  answer: z.object({ files: z.array(firmwareFileRecord), ...pageInfo })
})
export const createFirmwareFile = route({
  method: 'post',
  path: '/device-firmware-files',
  summary: 'Upload an image (`name-1.4.2.bin`, 16 MB at most)',
  access: adminOnly,
  errors: ['CONFLICT', 'UNPROCESSABLE', 'STORAGE_FULL'],
  multipart: { file: 'firmware' },
  answer: firmwareFileRecord,
  shape: 'record',
  status: 201,
  message: 'Upload successful'
})
export const deleteFirmwareFile = route({
  method: 'delete',
  path: '/device-firmware-files/{filename}',
  summary: 'Delete an image',
  access: adminOnly,
  params: z.object({ filename: z.string().min(1).max(255) }),
  message: 'Firmware file deleted.'
})
export const listDeviceFirmware = route({
  method: 'get',
  path: '/update-device-firmware',
  summary: 'Images that fit one board',
  access: staffWith('view devices'),
  errors: ['NOT_FOUND'],
  query: z.object({ deviceMac: deviceMac.optional(), deviceId: objectId.optional() }),
  answer: z.array(z.object({ version: z.string(), filename: z.string() })),
  shape: 'list'
})
export const startFirmwareUpdate = route({
  method: 'post',
  path: '/update-device-firmware',
  summary: 'Send an image to a board',
  access: adminOnly,
  errors: ['NOT_FOUND', 'CONFLICT', 'DEVICE_OFFLINE'],
  body: z.object({ deviceId: objectId, fileName: z.string().min(1, 'is required').max(255) }),
  message: 'Firmware update initiated.'
})
