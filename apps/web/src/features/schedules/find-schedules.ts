import type { ScheduleRecord } from '@batti/contracts'
import { containsTyped } from '#web/lib/contains-typed.ts'
import type { Text } from '#web/lib/i18n/use-text.ts'
import { deviceTitle } from '#web/lib/records/device-title.ts'
import { scheduleTitle } from '#web/lib/records/schedule-title.ts'
import { switchWords } from '#web/lib/records/switch-words.ts'

/** Returns the schedules whose label, switch or board, as stored or as shown, contains the text. */
export function findSchedules(schedules: readonly ScheduleRecord[], text: string, t: Text): readonly ScheduleRecord[] {
  const contains = containsTyped(text)
  return schedules.filter((schedule) => {
    const { label, switchId, deviceId } = schedule
    const names = [
      label,
      scheduleTitle(t, schedule),
      ...(switchId === null ? [] : [switchId.switchName, switchWords(t, switchId.switchName)]),
      ...(deviceId === null ? [] : [deviceTitle(deviceId)])
    ]
    return names.some((name) => contains(name))
  })
}
