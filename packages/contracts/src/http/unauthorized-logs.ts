import { z } from 'zod'
import { idParams, isoDate, pageInfo, pageQuery } from './fields.ts'
import { adminOnly, route } from './route.ts'

/** Refusals counted by (ip, method, path); `SOCKET` and `MQTT` stand as methods too. */
export const unauthorizedLogRecord = z.object({
  _id: z.string(),
  ip: z.string(),
  method: z.string(),
  url: z.string(),
  userAgent: z.string(),
  attempts: z.int(),
  timestamp: isoDate,
  blocked: z.boolean()
})
export type UnauthorizedLogRecord = z.infer<typeof unauthorizedLogRecord>

export const listUnauthorizedLogs = route({
  method: 'get',
  path: '/unauthorized-logs',
  summary: 'Who was refused',
  access: adminOnly,
  query: pageQuery,
  answer: z.object({ logs: z.array(unauthorizedLogRecord), ...pageInfo })
})
export const updateUnauthorizedLog = route({
  method: 'patch',
  path: '/unauthorized-logs/{id}',
  summary: 'Block or unblock the address',
  access: adminOnly,
  errors: ['CONFLICT'],
  params: idParams,
  body: z.object({ blocked: z.boolean() }),
  forbidden: ['_id', 'ip', 'attempts', 'timestamp'],
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
