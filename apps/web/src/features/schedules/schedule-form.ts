import { durationSeconds, faultsOfTimes, weekdays, type ScheduleRecord, type Weekday } from '@batti/contracts'
import type { MessageId } from '#web/i18n/message-id.ts'
import type { ScheduleChanges } from './api/change-schedule.ts'
import type { NewSchedule } from '#web/lib/records/new-schedule.ts'
import type { PreviewBody } from './api/preview-schedule.ts'

/** The switch that a schedule is for. */
export interface ScheduleTarget {
  deviceId: string
  switchId: string
  switchIndex: number
}
type Action = 'on' | 'off'

/** The values of the dialog. `endDate` is a date, or '' for none; it is ignored for `never`. */
export interface ScheduleForm {
  label: string
  startTime: string
  startAction: Action | ''
  endTime: string
  endAction: Action | ''
  repeatType: 'once' | 'daily' | 'weekly'
  days: readonly Weekday[]
  ends: 'on-date' | 'never'
  endDate: string
}

/** Turns on at the start, off at the end, once. */
export const emptyForm: ScheduleForm = {
  label: '',
  startTime: '',
  startAction: 'on',
  endTime: '',
  endAction: 'off',
  repeatType: 'once',
  days: [],
  ends: 'on-date',
  endDate: ''
}

export function formOf(schedule: ScheduleRecord): ScheduleForm {
  const { label, startTime, startAction, endTime, endAction, repeatType, repeatDays, endDate } = schedule
  return {
    label,
    startTime,
    startAction,
    endTime,
    endAction,
    repeatType,
    days: repeatDays,
    ends: repeatType !== 'once' && endDate === null ? 'never' : 'on-date',
    endDate: endDate ?? ''
  }
}

/** Returns the first error of the form, or null. A new schedule needs a switch, an edited one a label. */
export function faultOf(form: ScheduleForm, mode: 'add' | 'edit', target: ScheduleTarget | null): MessageId | null {
  if (target === null) return 'schedules.needSwitch'
  const hasTimes = form.startTime !== '' && form.startAction !== '' && form.endTime !== '' && form.endAction !== ''
  if (mode === 'add' && !hasTimes) return 'schedules.needTimes'
  if (mode === 'edit' && (!hasTimes || form.label.trim() === '')) return 'schedules.needAll'
  const [fault] = faultsOfTimes({ ...form, repeatDays: form.days })
  if (fault !== undefined) return `schedules.${fault}`
  if (form.repeatType !== 'once' && form.ends === 'on-date' && form.endDate === '') return 'schedules.needEndDate'
  return null
}

export const faultyFields = ['label', 'startTime', 'endTime', 'days', 'endDate'] as const
export type FaultyField = (typeof faultyFields)[number]

/** Returns the fields to which a fault of `faultOf` refers. */
export function fieldsOfFault(fault: MessageId | null, form: ScheduleForm): readonly FaultyField[] {
  switch (fault) {
    case 'schedules.needTimes':
      return (['startTime', 'endTime'] as const).filter((name) => form[name] === '')
    case 'schedules.needAll':
      return (['label', 'startTime', 'endTime'] as const).filter((name) => form[name].trim() === '')
    case 'schedules.sameTimes':
      return ['endTime']
    case 'schedules.needDay':
      return ['days']
    case 'schedules.needEndDate':
      return ['endDate']
    default:
      return []
  }
}

const endDateOf = ({ repeatType, ends, endDate }: ScheduleForm): string | null =>
  endDate === '' || (repeatType !== 'once' && ends === 'never') ? null : endDate

/** Returns the days in the week's order, not the order of presses; empty unless the schedule is weekly. */
const daysOf = ({ repeatType, days }: ScheduleForm): Weekday[] =>
  repeatType === 'weekly' ? weekdays.filter((day) => days.includes(day)) : []

const timesOf = ({ startTime, endTime, startAction, endAction, repeatType }: ScheduleForm) => ({
  startTime,
  endTime,
  startAction: startAction === '' ? ('on' as const) : startAction,
  endAction: endAction === '' ? ('off' as const) : endAction,
  repeatType
})

/** Returns the body of POST /schedules. */
export function newScheduleOf(form: ScheduleForm, target: ScheduleTarget, userId: string): NewSchedule {
  return {
    userId,
    ...target,
    ...timesOf(form),
    intervalSeconds: durationSeconds(form.startTime, form.endTime),
    repeatDays: daysOf(form),
    endDate: endDateOf(form),
    label: form.label.trim()
  }
}

/**
 * Returns the body of PATCH /schedules/{id}: only the differences and the `tried` fields, because another phone may have
 * changed the rest. Days and end date depend on the kind of repetition, so they are sent with it.
 */
export function changesOf(
  before: ScheduleForm,
  form: ScheduleForm,
  tried: ReadonlySet<string> = new Set()
): ScheduleChanges {
  const bodyOf = (of: ScheduleForm) => ({
    label: of.label.trim(),
    ...timesOf(of),
    days: daysOf(of),
    endDate: endDateOf(of)
  })
  const was = new Map<string, unknown>(Object.entries(bodyOf(before)))
  const isRepeat = (field: string) => field === 'days' || field === 'endDate'
  return Object.fromEntries(
    Object.entries(bodyOf(form)).filter(
      ([field, value]) =>
        tried.has(field) ||
        JSON.stringify(was.get(field)) !== JSON.stringify(value) ||
        (before.repeatType !== form.repeatType && isRepeat(field))
    )
  )
}

/**
 * Returns the body for the preview, or null while the form is incomplete. An end date not chosen yet counts as none.
 * `scheduleId`: the schedule that is edited.
 */
export function previewOf(form: ScheduleForm, deviceId: string | undefined, scheduleId?: string): PreviewBody | null {
  if (deviceId === undefined || form.startTime === '' || form.endTime === '') return null
  if (faultsOfTimes({ ...form, repeatDays: form.days }).length > 0) return null
  const edited = scheduleId === undefined ? {} : { scheduleId }
  return { deviceId, ...edited, ...timesOf(form), repeatDays: daysOf(form), endDate: endDateOf(form) }
}
