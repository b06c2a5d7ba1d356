import type { DeviceSnapshot } from '@batti/contracts'
import { isNewer, isSameReport, type DeviceLive } from './device-live.ts'

/**
 * A snapshot answers a (re)join: it is the server's truth of this moment. An event that overtook it may be newer; its
 * switches then stay, and only the presence and the freshness are taken.
 */
export function applySnapshot(current: DeviceLive | undefined, snapshot: DeviceSnapshot): DeviceLive {
  const { deviceMac: mac, isOnline, switch: states, speed, bootId, seq, at } = snapshot
  if (current !== undefined && !isSameReport(snapshot, current) && isNewer(current, snapshot)) {
    return { ...current, isFresh: true }
  }
  return {
    mac,
    isOnline,
    switch: states,
    speed,
    bootId,
    seq,
    at,
    onlineChangedAt: current?.isOnline === isOnline ? current.onlineChangedAt : null,
    isFresh: true,
    lastCause: current?.lastCause ?? null
  }
}
