import { outletsFromWire, statesToWire, withStates, type DeviceSnapshot } from '@batti/contracts'
import { isNewer, type DeviceLive } from './device-live.ts'

/**
 * Applies a snapshot, the server's state at a (re)join. An event that overtook it may be newer; then the event's states
 * stay, and only freshness and the outlets' descriptions, which no event carries in full, are taken from the snapshot.
 */
export function applySnapshot(current: DeviceLive | undefined, snapshot: DeviceSnapshot): DeviceLive {
  const { deviceMac: mac, isOnline } = snapshot
  // A board that never reported counts as older than anything else.
  const { bootId, seq, at } = { bootId: snapshot.bootId ?? '', seq: snapshot.seq ?? 0, at: snapshot.at ?? 0 }
  const incoming = { bootId, seq, at }
  const outlets = outletsFromWire(snapshot)
  if (current !== undefined && isNewer(current, incoming)) {
    return { ...current, outlets: withStates(outlets, statesToWire(current.outlets)), isFresh: true }
  }
  return {
    mac,
    isOnline,
    outlets,
    bootId,
    seq,
    at,
    onlineChangedAt: current?.isOnline === isOnline ? current.onlineChangedAt : null,
    isFresh: true,
    firmware: current?.firmware ?? null,
    lastCause: current?.lastCause ?? null
  }
}
