import { z } from 'zod'
import { deviceMac, objectId } from '../ids.ts'
import { isoDate } from './fields.ts'
import { adminOnly, route } from './route.ts'

/** An image in the update dialog of one board; `installed` marks the one that it runs. */
export const firmwareChoice = z.object({
  version: z.string(),
  filename: z.string(),
  size: z.int(),
  signed: z.boolean(),
  createdAt: isoDate,
  installed: z.literal(true).optional()
})
export type FirmwareChoice = z.infer<typeof firmwareChoice>

export const listDeviceFirmware = route({
  method: 'get',
  path: '/update-device-firmware',
  summary: 'The images that one board can take, newest first',
  access: adminOnly,
  errors: ['NOT_FOUND'],
  query: z
    .object({ deviceMac: deviceMac.optional(), deviceId: objectId.optional() })
    .refine((query) => query.deviceMac !== undefined || query.deviceId !== undefined, {
      path: ['deviceId'],
      message: 'name the board by deviceId or deviceMac'
    }),
  answer: z.array(firmwareChoice),
  shape: 'list'
})
export const updateDeviceFirmware = route({
  method: 'post',
  path: '/update-device-firmware',
  summary: 'Start an update of one board',
  access: adminOnly,
  errors: ['NOT_FOUND', 'CONFLICT', 'DEVICE_OFFLINE', 'UNAVAILABLE'],
  body: z.object({ deviceId: objectId, fileName: z.string().min(1).max(255) }),
  answer: z.object({ id: z.string() }),
  message: 'Firmware update initiated.'
})
