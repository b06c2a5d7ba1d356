import type { DeviceRecord } from '@batti/contracts'
import { useServerNow } from '#web/lib/time/use-now.ts'
import { useDeviceUpdate } from './device-update.ts'
import { isRestarting } from './is-restarting.ts'

/** Returns the word for a listed board: online, restarting for its update, or offline. */
export function usePresenceWord(device: DeviceRecord): 'devices.online' | 'phase.reboot' | 'devices.offline' {
  const { deviceMac, firmware, isOnline, onlineChangedAt: at } = device
  const update = useDeviceUpdate(deviceMac, firmware)
  const now = useServerNow()
  if (isOnline) return 'devices.online'
  const presence = { isOnline, onlineChangedAt: at === null ? null : Date.parse(at) }
  return isRestarting(update, presence, now) ? 'phase.reboot' : 'devices.offline'
}
