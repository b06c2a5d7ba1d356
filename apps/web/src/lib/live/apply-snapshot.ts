import { outletsFromWire, statesToWire, withStates, type DeviceSnapshot } from '@batti/contracts'
import { isNewer, isSameReport, type DeviceLive } from './device-live.ts'

/**
 * A snapshot answers a (re)join: it is the server's truth of this moment. An event that overtook it may be newer; its
 * states then stay; what the outlets are, which no event tells in full, and the freshness are taken.
 */
export function applySnapshot(current: DeviceLive | undefined, snapshot: DeviceSnapshot): DeviceLive {
  const { deviceMac: mac, isOnline } = snapshot
  // A board that never spoke: older than whatever comes.
  const { bootId, seq, at } = { bootId: snapshot.bootId ?? '', seq: snapshot.seq ?? 0, at: snapshot.at ?? 0 }
  const incoming = { bootId, seq, at }
  const outlets = outletsFromWire(snapshot)
  if (current !== undefined && !isSameReport(incoming, current) && isNewer(current, incoming)) {
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
    lastCause: current?.lastCause ?? null
  }
}
