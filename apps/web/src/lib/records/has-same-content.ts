import type { ScheduleRecord } from '@batti/contracts'
import type { NewSchedule } from '#web/lib/records/new-schedule.ts'

const same = ['switchIndex', 'startTime', 'endTime', 'startAction', 'endAction', 'repeatType', 'endDate'] as const

/**
 * Returns whether a schedule is active and has exactly the content of a new one. Without a label it has the server's
 * default.
 */
export function hasSameContent(schedule: ScheduleRecord, wanted: NewSchedule): boolean {
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
