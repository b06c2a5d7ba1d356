import type { SwitchRecord } from '@batti/contracts'
import { containsTyped } from '#web/lib/contains-typed.ts'
import type { Text } from '#web/lib/i18n/use-text.ts'
import type { DeviceLive } from '#web/lib/live/device-live.ts'
import { switchTitle } from './switch-name.ts'

export type SwitchFilter = 'all' | 'on' | 'offline'

/** Returns the switches whose name, as stored or as shown, board or room contains the text, and that are on or offline if the filter says so. */
export function filterSwitches(
  records: readonly SwitchRecord[],
  {
    text,
    filter,
    liveOf,
    t
  }: { text: string; filter: SwitchFilter; liveOf: (mac: string) => DeviceLive | undefined; t: Text }
): readonly SwitchRecord[] {
  const contains = containsTyped(text)
  const passes = (record: SwitchRecord) => {
    if (filter === 'all') return true
    const live = liveOf(record.deviceMac)
    if (live === undefined || !live.isFresh) return false
    return filter === 'offline' ? !live.isOnline : live.isOnline && live.outlets[record.switchIndex]?.on === true
  }
  return records.filter(
    (record) =>
      (contains(record.switchName) ||
        contains(switchTitle(t, record)) ||
        contains(record.deviceName) ||
        contains(record.roomId?.roomName) ||
        contains(record.deviceMac)) &&
      passes(record)
  )
}
