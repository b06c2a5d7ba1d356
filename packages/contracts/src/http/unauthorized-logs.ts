import { z } from 'zod'
import { flagText, idParams, instantText, isoDate, pageInfo, sortedQuery } from './fields.ts'
import { adminOnly, route } from './route.ts'

/**
 * Refusals counted by (ip, method, path); `SOCKET` and `MQTT` are methods too.
 * `blocked`, `until` and `users` (accounts seen there in 30 days) belong to the address: all its rows have the same.
 */
export const unauthorizedLogRecord = z.object({
  _id: z.string(),
  ip: z.string(),
  method: z.string(),
  url: z.string(),
  userAgent: z.string(),
  attempts: z.int(),
  timestamp: isoDate,
  blocked: z.boolean(),
  /** When the block ends; null for a permanent block, and where there is none. */
  until: isoDate.nullable(),
  users: z.int()
})
export type UnauthorizedLogRecord = z.infer<typeof unauthorizedLogRecord>

/** The refusals of one hour; `at` is its beginning. */
export const refusalsOfHour = z.object({ at: isoDate, count: z.int() })
export type RefusalsOfHour = z.infer<typeof refusalsOfHour>

export const listUnauthorizedLogs = route({
  method: 'get',
  path: '/unauthorized-logs',
  summary: 'Who was refused, and how many refusals the last 24 hours had',
  access: adminOnly,
  query: sortedQuery(['ip', 'method', 'url', 'userAgent', 'attempts', 'users', 'timestamp', 'blocked']).extend({
    blocked: flagText.optional(),
    from: instantText.optional(),
    to: instantText.optional()
  }),
  rows: 'logs',
  answer: z.object({
    logs: z.array(unauthorizedLogRecord),
    byHour: z.array(refusalsOfHour),
    /** How many rows the filter matches of either kind, regardless of the requested one. */
    byBlock: z.object({ blocked: z.int(), unblocked: z.int() }),
    ...pageInfo
  })
})
/** Who would be affected by a block of the address. */
export const addressImpact = z.object({
  users: z.int(),
  /** Boards of these users, and boards connected from the address. */
  boards: z.int(),
  sample: z.array(z.object({ _id: z.string(), name: z.string() }))
})
export type AddressImpact = z.infer<typeof addressImpact>

export const getUnauthorizedLogImpact = route({
  method: 'get',
  path: '/unauthorized-logs/{id}/impact',
  summary: "Who would be hit by a block of the row's address",
  access: adminOnly,
  params: idParams,
  answer: addressImpact
})
export const updateUnauthorizedLog = route({
  method: 'patch',
  path: '/unauthorized-logs/{id}',
  summary: 'Block the address, for good or until an instant, or unblock it',
  access: adminOnly,
  errors: ['CONFLICT'],
  params: idParams,
  body: z
    .object({
      blocked: z.boolean(),
      until: instantText.nullish(),
      /** The block as the caller saw it; a change of any other is refused with CONFLICT. */
      seen: z.object({ blocked: z.boolean(), until: instantText.nullable() }).optional()
    })
    .refine(({ blocked, until }) => blocked || until === undefined || until === null, {
      path: ['until'],
      message: 'can only be given with a block'
    }),
  answer: unauthorizedLogRecord,
  shape: 'record',
  message: 'Log updated.'
})
export const deleteUnauthorizedLog = route({
  method: 'delete',
  path: '/unauthorized-logs/{id}',
  summary: 'Delete a row',
  access: adminOnly,
  params: idParams,
  message: 'Log deleted'
})
