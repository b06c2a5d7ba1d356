import { durationSeconds, type ScheduleRecord } from '@batti/contracts'
import type { LiveDevice } from '../../boards/registry/live-device.ts'
import type { ScheduleDocument } from './schedule.model.ts'

/** Presents a schedule for HTTP, with the current names of its board and switch. */
export function presentSchedule(schedule: ScheduleDocument, device: LiveDevice | undefined): ScheduleRecord {
  const switchId = String(schedule.switchId)
  const outlet = device?.outlets.find((each) => each.switchId === switchId)
  return {
    _id: String(schedule._id),
    label: schedule.label,
    deviceId: device === undefined ? null : { _id: device.id, deviceName: device.deviceName, setName: device.setName },
    switchId: outlet === undefined ? null : { _id: switchId, switchName: outlet.name },
    switchIndex: schedule.switchIndex,
    userId: String(schedule.userId),
    startTime: schedule.startTime,
    endTime: schedule.endTime,
    startAction: schedule.startAction,
    endAction: schedule.endAction,
    intervalSeconds: durationSeconds(schedule.startTime, schedule.endTime),
    repeatType: schedule.repeatType,
    repeatDays: schedule.repeatDays,
    endDate: schedule.endDate,
    timezone: schedule.timezone,
    isActive: schedule.isActive,
    nextRunAt: schedule.nextRunAt?.toISOString() ?? null,
    createdAt: schedule.createdAt.toISOString()
  }
}
