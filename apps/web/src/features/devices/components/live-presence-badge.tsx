import type { DeviceRecord } from '@batti/contracts'
import { useLiveDevice } from '#web/lib/live/use-live-device.ts'
import { PresenceBadge } from './presence-badge.tsx'

/** A board's presence, updated live. */
export function LivePresenceBadge({ device }: { device: DeviceRecord }) {
  return <PresenceBadge live={useLiveDevice(device).live} />
}
