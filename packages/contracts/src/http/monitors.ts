import { z } from 'zod'
import { monitorPermissions } from '../constants.ts'
import { phoneNumber, userRecord } from './accounts.ts'
import { emailAddress, idParams, isoDate, pageInfo, requiredLine, sortedQuery } from './fields.ts'
import { adminOnly, route } from './route.ts'

export const monitorRecord = z.object({
  _id: z.string(),
  name: z.string(),
  phone: z.string().nullable(),
  email: z.string(),
  permissions: z.array(z.enum(monitorPermissions)),
  createdAt: isoDate
})
export type MonitorRecord = z.infer<typeof monitorRecord>

const body = z.object({
  name: requiredLine(100),
  phone: phoneNumber,
  email: emailAddress,
  permissions: z.array(z.enum(monitorPermissions)).default([])
})
/** A monitor is an account. Fields that only the account calls can set are refused here instead of ignored. */
const forbidden = ['password', ...Object.keys(userRecord.shape).filter((field) => !(field in body.shape))]

export const listMonitors = route({
  method: 'get',
  path: '/monitors',
  summary: 'Monitor accounts',
  access: adminOnly,
  query: sortedQuery(['name', 'phone', 'email', 'permissions', 'createdAt']),
  rows: 'monitors',
  answer: z.object({ monitors: z.array(monitorRecord), ...pageInfo })
})
export const createMonitor = route({
  method: 'post',
  path: '/monitors',
  summary: 'Add a monitor and mail an invitation to set a password',
  access: adminOnly,
  errors: ['CONFLICT'],
  body,
  forbidden,
  answer: monitorRecord,
  shape: 'record',
  status: 201,
  message: 'Monitor created. An invitation is on its way.'
})
export const updateMonitor = route({
  method: 'put',
  path: '/monitors/{id}',
  summary: 'Replace name, phone, e-mail and permissions; takes effect at once',
  access: adminOnly,
  errors: ['CONFLICT'],
  params: idParams,
  body,
  forbidden,
  answer: monitorRecord,
  shape: 'record',
  message: 'Monitor updated.'
})
export const deleteMonitor = route({
  method: 'delete',
  path: '/monitors/{id}',
  summary: 'Delete a monitor account',
  access: adminOnly,
  params: idParams,
  message: 'Monitor deleted.'
})
