import { z } from 'zod'
import { objectId } from '../ids.ts'
import { changeCause, changeSources } from '../socket/events.ts'
import { idParams, instantText, isoDate, pageInfo, sortedQuery, wholeNumber } from './fields.ts'
import { adminOnly, everyoneWith, ownerOrAdmin, route } from './route.ts'

/** One confirmed change of one switch, or a missed schedule or a notice (`kind`). Lists are newest first. */
export const actionLogRecord = z.object({
  _id: z.string(),
  kind: z.enum(['change', 'missed', 'notice']),
  description: z.string(),
  userName: z.string(),
  userPhone: z.string().nullable(),
  from: z.enum(changeSources),
  cause: changeCause.nullable(),
  deviceId: z.string().nullable(),
  deviceMac: z.string().nullable(),
  switchId: z.string().nullable(),
  switchIndex: z.int().nullable(),
  switchName: z.string().nullable(),
  state: z.boolean().nullable(),
  speed: z.int().nullable(),
  commandId: z.string().nullable(),
  report: z.object({ bootId: z.string(), seq: z.int() }).nullable(),
  createdAt: isoDate
})
export type ActionLogRecord = z.infer<typeof actionLogRecord>

export const listActionLogs = route({
  method: 'get',
  path: '/switch-action-logs',
  summary: "The caller's action log; everyone's for staff",
  access: everyoneWith('view logs'),
  errors: ['NOT_FOUND'],
  query: sortedQuery(['userName', 'userPhone', 'description', 'from', 'createdAt']).extend({
    userId: objectId.optional(),
    switchId: objectId.optional(),
    deviceId: objectId.optional(),
    from: z.enum(changeSources).optional(),
    since: instantText.optional(),
    until: instantText.optional()
  }),
  rows: 'logs',
  answer: z.object({ logs: z.array(actionLogRecord), ...pageInfo })
})
export const deleteActionLog = route({
  method: 'delete',
  path: '/switch-action-logs/{id}',
  summary: 'Delete one row',
  access: ownerOrAdmin,
  params: idParams,
  message: 'Log deleted'
})
export const clearMyActionLogs = route({
  method: 'delete',
  path: '/switch-action-logs',
  summary: "Clear the caller's own log",
  access: ownerOrAdmin,
  answer: z.object({ deleted: z.int() }),
  message: 'Logs cleared.'
})
export const clearAllActionLogs = route({
  method: 'post',
  path: '/switch-action-logs',
  summary: 'Clear every log; the audit log keeps who did it',
  access: adminOnly,
  answer: z.object({ deleted: z.int() }),
  message: 'Logs cleared.'
})

/** When one switch was on. Times in milliseconds since the epoch. */
export const onTimeRecord = z.object({
  switchId: z.string(),
  switchName: z.string(),
  days: z.array(z.object({ date: z.string(), seconds: z.int() })),
  spans: z.array(z.object({ from: z.int(), to: z.int() }))
})
export const listOnTimes = route({
  method: 'get',
  path: '/switch-on-times',
  summary: 'On-time per switch and day, from the action log, in the zone asked for',
  access: everyoneWith('view switches'),
  errors: ['NOT_FOUND'],
  query: z.object({
    days: wholeNumber(1, 31).default(7),
    switchId: objectId.optional(),
    deviceId: objectId.optional(),
    timezone: z.string().max(64).optional()
  }),
  answer: z.object({ timezone: z.string(), switches: z.array(onTimeRecord) })
})
