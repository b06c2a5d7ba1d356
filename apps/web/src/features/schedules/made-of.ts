import type { ScheduleRecord } from '@batti/contracts'
import type { NewSchedule } from './api/new-schedule.ts'

const same = ['switchIndex', 'startTime', 'endTime', 'startAction', 'endAction', 'repeatType', 'endDate'] as const

/** Whether a schedule is what a new one was to be: of exactly that content, and active. One without a label has the server's. */
export function isMadeOf(schedule: ScheduleRecord, wanted: NewSchedule): boolean {
  const { isActive, deviceId, switchId, label, repeatDays } = schedule
  return (
    isActive &&
    deviceId?._id === wanted.deviceId &&
    switchId?._id === wanted.switchId &&
    (wanted.label === '' || label === wanted.label) &&
    same.every((field) => schedule[field] === wanted[field]) &&
    JSON.stringify(repeatDays) === JSON.stringify(wanted.repeatDays)
  )
}
