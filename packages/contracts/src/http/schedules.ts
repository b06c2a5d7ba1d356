import { z } from 'zod'
import { weekdays } from '../constants.ts'
import { objectId } from '../ids.ts'
import { calendarDate, clockTime } from '../mqtt/payloads.ts'
import { idParams, isoDate, lineText, outletIndexText, pageInfo, sortedQuery } from './fields.ts'
import { adminOnly, everyoneWith, ownerOrAdmin, route } from './route.ts'

export const scheduleActions = ['on', 'off'] as const
export const repeatTypes = ['once', 'daily', 'weekly'] as const

export const scheduleRecord = z.object({
  _id: z.string(),
  label: z.string(),
  deviceId: z.object({ _id: z.string(), deviceName: z.string(), setName: z.string() }).nullable(),
  switchId: z.object({ _id: z.string(), switchName: z.string() }).nullable(),
  switchIndex: z.int(),
  userId: z.string(),
  startTime: z.string(),
  endTime: z.string(),
  startAction: z.enum(scheduleActions),
  endAction: z.enum(scheduleActions),
  intervalSeconds: z.int(),
  repeatType: z.enum(repeatTypes),
  repeatDays: z.array(z.enum(weekdays)),
  endDate: z.string().nullable(),
  timezone: z.string(),
  isActive: z.boolean(),
  nextRunAt: isoDate.nullable(),
  createdAt: isoDate
})
export type ScheduleRecord = z.infer<typeof scheduleRecord>

/** A date, or an instant that stands for its date in the schedule's zone; '' and null mean none. */
const endDate = z
  .union([z.literal('').transform(() => null), calendarDate, z.iso.datetime({ offset: true }), z.null()], {
    error: 'must be a date that exists, such as 2026-12-31'
  })
  .optional()

/** Messages for missing values. An invalid value gets the usual message. */
const timesRequired = 'Start time, start action, end time, and end action are required.'
const switchRequired = 'You must provide switchId and switchIndex to set a schedule!'
const given = <Schema extends z.ZodType>(schema: Schema, sentence: string) =>
  z.preprocess((value: z.input<Schema>, context) => {
    if (value !== undefined && value !== null && value !== '') return value
    context.addIssue({ code: 'custom', message: sentence })
    return z.NEVER
  }, schema)

/** A time of day. Sunrise and sunset get a message of their own, because people ask for them. */
const triggerTime = z.preprocess((value, context) => {
  if (typeof value !== 'string' || !/^sun(?:rise|set)\b/i.test(value)) return value
  context.addIssue({
    code: 'custom',
    message: 'cannot follow the sun: the place of the home is not known yet. Give a time HH:MM'
  })
  return z.NEVER
}, clockTime)

const days = z.array(z.enum(weekdays)).max(7)
const fields = {
  label: lineText(100).nullish(),
  startTime: given(triggerTime, timesRequired),
  endTime: given(triggerTime, timesRequired),
  startAction: given(z.enum(scheduleActions), timesRequired),
  endAction: given(z.enum(scheduleActions), timesRequired),
  repeatType: z.enum(repeatTypes),
  repeatDays: days.nullish(),
  days: days.nullish(),
  endDate,
  intervalSeconds: z.number().min(0).nullish(),
  isActive: z.boolean().optional(),
  deviceId: objectId,
  switchId: given(objectId, switchRequired),
  switchIndex: given(outletIndexText, switchRequired),
  userId: objectId.optional()
}
const forbidden = ['createdBy']

/** `repeatType` defaults to `once`. The api checks the rules between fields (days of a weekly one, an end date in the past). */
export const scheduleBody = z.object({ ...fields, repeatType: fields.repeatType.default('once') })
export type ScheduleBody = z.infer<typeof scheduleBody>
export const schedulePatch = z.object(fields).partial()
export type SchedulePatch = z.infer<typeof schedulePatch>

export const listSchedules = route({
  method: 'get',
  path: '/schedules',
  summary: "The caller's schedules; all for staff",
  access: everyoneWith('view schedules'),
  errors: ['NOT_FOUND'],
  query: sortedQuery([
    'label',
    'device',
    'deviceId',
    'switch',
    'switchId',
    'switchIndex',
    'startTime',
    'endTime',
    'repeatType',
    'isActive',
    'nextRunAt',
    'createdAt'
  ]).extend({ userId: objectId.optional(), deviceId: objectId.optional() }),
  rows: 'schedules',
  answer: z.object({ schedules: z.array(scheduleRecord), ...pageInfo })
})
export const createSchedule = route({
  method: 'post',
  path: '/schedules',
  summary: 'Add a schedule; at most 50 a device and 500 a user',
  access: ownerOrAdmin,
  errors: ['NOT_FOUND', 'LIMIT_REACHED'],
  body: scheduleBody,
  forbidden,
  answer: scheduleRecord,
  shape: 'record',
  status: 201,
  message: 'Schedule created successfully!'
})
export const previewSchedule = route({
  method: 'post',
  path: '/schedules/preview',
  summary: 'The next five firings of a schedule that is not saved yet; `scheduleId`: of the one that is edited',
  access: ownerOrAdmin,
  errors: ['NOT_FOUND'],
  body: scheduleBody
    .omit({ userId: true, switchId: true, switchIndex: true, label: true })
    .extend({ scheduleId: objectId.optional() }),
  forbidden: ['timezone'],
  answer: z.object({
    timezone: z.string(),
    firings: z.array(
      z.object({ at: isoDate, phase: z.enum(['start', 'end']), action: z.enum(scheduleActions), local: z.string() })
    )
  })
})
export const updateSchedule = route({
  method: 'patch',
  path: '/schedules/{id}',
  summary: 'Change a schedule; `days` or `repeatDays`',
  access: ownerOrAdmin,
  errors: ['LIMIT_REACHED'],
  params: idParams,
  body: schedulePatch,
  forbidden,
  answer: scheduleRecord,
  shape: 'record',
  message: 'Schedule updated.'
})
export const replaceSchedule = route({
  method: 'put',
  path: '/schedules/{id}',
  summary: 'Replace a schedule',
  access: adminOnly,
  errors: ['LIMIT_REACHED'],
  params: idParams,
  body: scheduleBody,
  forbidden,
  answer: scheduleRecord,
  shape: 'record',
  message: 'Schedule updated.'
})
export const toggleSchedule = route({
  method: 'patch',
  path: '/schedules/toggle/{id}',
  summary: 'Active to inactive and back; or, with `isActive`, to what it says: the same again changes nothing',
  access: ownerOrAdmin,
  errors: ['CONFLICT'],
  params: idParams,
  body: z.object({ isActive: fields.isActive }).optional(),
  forbidden: scheduleRecord.omit({ isActive: true }).keyof().options,
  answer: scheduleRecord,
  shape: 'record',
  message: 'Schedule updated.'
})
export const deleteSchedule = route({
  method: 'delete',
  path: '/schedules/{id}',
  summary: 'Delete a schedule',
  access: ownerOrAdmin,
  params: idParams,
  message: 'Schedule deleted.'
})
