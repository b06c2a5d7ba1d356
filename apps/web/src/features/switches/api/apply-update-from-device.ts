import type { DeviceUpdateEvent, SwitchRecord } from '@batti/contracts'

/**
 * Applies a board's new name or room, and new names of its switches, to the switches' records. A board whose name was
 * removed is called by its model, which the event does not carry: those records wait for the next answer.
 */
export function applyDeviceUpdate<Switch extends SwitchRecord>(
  switches: readonly Switch[],
  { deviceMac, update }: DeviceUpdateEvent
): readonly Switch[] {
  const { setName, setRoom, switchNames = {} } = update
  const hasName = setName !== undefined && setName.trim() !== ''
  if (!hasName && setRoom === undefined && Object.keys(switchNames).length === 0) return switches
  if (!switches.some((record) => record.deviceMac === deviceMac)) return switches
  return switches.map((record) =>
    record.deviceMac === deviceMac
      ? {
          ...record,
          switchName: switchNames[record.switchIndex] ?? record.switchName,
          ...(hasName && { deviceName: setName }),
          ...(setRoom !== undefined && { roomId: setRoom })
        }
      : record
  )
}
