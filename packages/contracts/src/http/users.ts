import { z } from 'zod'
import { defaultCountryCode, roles } from '../constants.ts'
import { userRecord } from './accounts.ts'
import {
  countryCode,
  emailAddress,
  idParams,
  languages,
  lineText,
  newPassword,
  pageInfo,
  phoneText,
  requiredLine,
  sortedQuery
} from './fields.ts'
import { adminOnly, route, staffWith } from './route.ts'
import { sessionRecord } from './sessions.ts'

/** A row of the Users table. */
export const userListRecord = userRecord.extend({ deviceCount: z.int(), scheduleCount: z.int(), roomCount: z.int() })
export type UserListRecord = z.infer<typeof userListRecord>

const tenDigitsRule = 'Phone number must be exactly 10 digits.'
const tenDigits = phoneText(/^\d{10}$/, tenDigitsRule)
/** The same, or a number as records have it. */
const recordedPhone = phoneText(/^(?:\+\d{1,3})?\d{10}$/, tenDigitsRule)
/** An unknown role gets zod's default message, which lists the valid ones. */
const role = z.enum(roles, {
  error: ({ input }) => (input === undefined || input === null || input === '' ? 'Role is required.' : undefined)
})
/** What staff fill in beside contact details. */
const details = { address: lineText(300).optional(), language: z.enum(languages).optional() }

export const listUsers = route({
  method: 'get',
  path: '/users',
  summary: 'All accounts',
  access: staffWith('view users'),
  query: sortedQuery([
    '_id',
    'name',
    'email',
    'phone',
    'role',
    'deviceCount',
    'scheduleCount',
    'roomCount',
    'createdAt'
  ]),
  rows: 'users',
  answer: z.object({ users: z.array(userListRecord), ...pageInfo })
})
export const getUser = route({
  method: 'get',
  path: '/users/{id}',
  summary: 'One account',
  access: staffWith('view users'),
  params: idParams,
  answer: userListRecord,
  shape: 'record'
})
export const listUserSessions = route({
  method: 'get',
  path: '/users/{id}/sessions',
  summary: 'Where an account is logged in',
  access: adminOnly,
  params: idParams,
  answer: z.object({ sessions: z.array(sessionRecord.omit({ current: true })) })
})
export const createUser = route({
  method: 'post',
  path: '/users',
  summary: 'Add an account',
  access: adminOnly,
  errors: ['CONFLICT'],
  body: z.object({
    name: requiredLine(100),
    email: emailAddress,
    phone: tenDigits,
    countryCode: countryCode.default(defaultCountryCode),
    password: newPassword,
    role: role.default('user'),
    ...details
  }),
  answer: userListRecord,
  shape: 'record',
  status: 201,
  message: 'User created.'
})
export const updateUser = route({
  method: 'patch',
  path: '/users/{id}',
  summary: 'Change an account; a change of role takes effect at once',
  access: adminOnly,
  errors: ['CONFLICT'],
  params: idParams,
  body: z.object({
    name: requiredLine(100).optional(),
    email: emailAddress.optional(),
    phone: recordedPhone.optional(),
    countryCode: countryCode.optional(),
    role: role.optional(),
    ...details
  }),
  forbidden: ['password'],
  answer: userListRecord,
  shape: 'record',
  message: 'User updated.'
})
export const deleteUser = route({
  method: 'delete',
  path: '/users/{id}',
  summary: 'Erase an account, as its owner would',
  access: adminOnly,
  errors: ['CONFLICT'],
  params: idParams,
  message: 'User deleted.'
})
