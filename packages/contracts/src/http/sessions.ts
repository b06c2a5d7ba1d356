import { z } from 'zod'
import { idParams, isoDate } from './fields.ts'
import { account, route } from './route.ts'

/** Where an account is logged in. */
export const sessionRecord = z.object({
  id: z.string(),
  userAgent: z.string(),
  ip: z.string(),
  createdAt: isoDate,
  lastUsedAt: isoDate,
  current: z.boolean()
})
export type SessionRecord = z.infer<typeof sessionRecord>

export const listSessions = route({
  method: 'get',
  path: '/user/sessions',
  summary: 'Where this account is logged in',
  access: account,
  answer: z.object({ sessions: z.array(sessionRecord) })
})
export const endSession = route({
  method: 'delete',
  path: '/user/sessions/{id}',
  summary: 'Log one session out',
  access: account,
  params: idParams,
  message: 'Logged out there.'
})
