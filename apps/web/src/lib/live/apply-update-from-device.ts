import type { DeviceUpdateEvent } from '@batti/contracts'
import type { DeviceLive } from './device-live.ts'

/** Applies a change of presence. An event older than the last such change is ignored. */
export function applyUpdateFromDevice(
  current: DeviceLive | undefined,
  event: DeviceUpdateEvent
): DeviceLive | undefined {
  const { isOnline } = event.update
  if (current === undefined || isOnline === undefined) return current
  if (current.onlineChangedAt !== null && event.at < current.onlineChangedAt) return current
  if (current.isOnline === isOnline) return current
  return { ...current, isOnline, onlineChangedAt: event.at }
}
