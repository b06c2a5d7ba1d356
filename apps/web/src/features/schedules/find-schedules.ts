import type { ScheduleRecord } from '@batti/contracts'
import { deviceTitle } from '#web/lib/records/device-title.ts'

/** Returns the schedules whose label, switch or board contains the text. */
export function findSchedules(schedules: readonly ScheduleRecord[], text: string): readonly ScheduleRecord[] {
  const wanted = text.trim().toLowerCase()
  return schedules.filter(({ label, switchId, deviceId }) =>
    [label, switchId?.switchName ?? '', deviceId === null ? '' : deviceTitle(deviceId)].some((name) =>
      name.toLowerCase().includes(wanted)
    )
  )
}
