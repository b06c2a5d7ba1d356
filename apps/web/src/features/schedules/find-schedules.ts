import type { ScheduleRecord } from '@batti/contracts'
import { containsTyped } from '#web/lib/contains-typed.ts'
import { deviceTitle } from '#web/lib/records/device-title.ts'

/** Returns the schedules whose label, switch or board contains the text. */
export function findSchedules(schedules: readonly ScheduleRecord[], text: string): readonly ScheduleRecord[] {
  const contains = containsTyped(text)
  return schedules.filter(
    ({ label, switchId, deviceId }) =>
      contains(label) || contains(switchId?.switchName) || (deviceId !== null && contains(deviceTitle(deviceId)))
  )
}
