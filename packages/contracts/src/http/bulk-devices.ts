import { z } from 'zod'
import { objectId } from '../ids.ts'
import { deviceRecord, updateDevice } from './devices.ts'
import { hostText, lineText, portNumber } from './fields.ts'
import { boardTarget, excludedCounts, isOneTarget, rolloutBody, rolloutRecord } from './rollouts.ts'
import { adminOnly, route } from './route.ts'

const serverAddress = z.object({ host: hostText.min(1, 'is required'), port: portNumber })
/** What a bulk change can set. `api` and `mqtt` are the servers that boards connect to. */
export const bulkSettings = z
  .object({
    setRoom: z.union([objectId, z.null()]).optional(),
    activeColor: lineText(64).min(1, 'is required').optional(),
    timezone: lineText(64).min(1, 'is required').optional(),
    api: serverAddress.optional(),
    mqtt: serverAddress.optional()
  })
  .refine((set) => Object.values(set).some((value) => value !== undefined), {
    message: 'names nothing to set: setRoom, activeColor, timezone, api or mqtt'
  })
export type BulkSettings = z.output<typeof bulkSettings>

/** Fields of rollouts and boards that a bulk change cannot set. Refused, because an ignored field would look applied. */
const notInBulk = [
  ...Object.keys({ ...rolloutBody.shape, ...rolloutRecord.omit({ set: true }).shape }),
  ...Object.keys({ ...deviceRecord.shape, ...updateDevice.body?.shape })
    .filter((field) => !(field in bulkSettings.shape))
    .map((field) => `set.${field}`)
]

/** How many boards a bulk change would affect. */
export const bulkPreview = z.object({ total: z.int(), excluded: excludedCounts })

export const bulkDevices = route({
  method: 'post',
  path: '/bulk/devices',
  summary: 'Set one thing on many boards; with ?preview=1 only how many it would be',
  access: adminOnly,
  errors: ['NOT_FOUND', 'CONFLICT'],
  query: z.object({ preview: z.enum(['0', '1', 'true', 'false']).optional() }),
  body: boardTarget
    .extend({ set: bulkSettings })
    .refine(isOneTarget, { path: ['deviceIds'], message: 'name the boards by deviceIds or by filter' }),
  forbidden: notInBulk,
  answer: z.object({ id: objectId, total: z.int() }),
  status: 201,
  previewAnswer: bulkPreview,
  message: 'Bulk change started.'
})
