import type { DeviceRecord } from '@batti/contracts'
import { useDeviceUpdate } from '#web/lib/live/device-update.ts'
import { useLiveDevice } from '#web/lib/live/use-live-device.ts'
import { PresenceBadge } from './presence-badge.tsx'

/** A board's presence, updated live. */
export function LivePresenceBadge({ device }: { device: DeviceRecord }) {
  const update = useDeviceUpdate(device.deviceMac, device.firmware)
  return <PresenceBadge live={useLiveDevice(device).live} update={update} />
}
