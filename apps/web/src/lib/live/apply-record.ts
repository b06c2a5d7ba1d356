import { outletsFromWire, type DeviceRecord, type IndexLists } from '@batti/contracts'
import { isNewer, isSameReport, type DeviceLive } from './device-live.ts'

type RecordState = IndexLists &
  Pick<
    DeviceRecord,
    'deviceMac' | 'isOnline' | 'switch' | 'speed' | 'bootId' | 'seq' | 'stateAt' | 'onlineChangedAt' | 'firmware'
  >

/**
 * Applies a board's record from a list. It counts as a report with its `(bootId, seq)`, as the list may be older than
 * the socket's events. `isLive`: the page is connected; without a connection no state is fresh.
 */
export function applyRecord(current: DeviceLive | undefined, record: RecordState, isLive: boolean): DeviceLive {
  const name = { bootId: record.bootId, seq: record.seq, at: record.stateAt }
  const { firmware } = record
  const changedAt = record.onlineChangedAt === null ? null : Date.parse(record.onlineChangedAt)
  if (current !== undefined && !isNewer(name, current)) {
    // Keeps its identity, so that a list that brings nothing new draws no card again.
    const known = current.firmware === firmware ? current : { ...current, firmware }
    if (!isSameReport(name, current)) return known
    // A snapshot does not tell since when its board is offline.
    const isUndated = current.onlineChangedAt === null && changedAt !== null && current.isOnline === record.isOnline
    if (current.isFresh) return isUndated ? { ...known, onlineChangedAt: changedAt } : known
  }
  return {
    mac: record.deviceMac,
    isOnline: record.isOnline,
    outlets: outletsFromWire(record),
    ...name,
    onlineChangedAt: changedAt,
    isFresh: isLive,
    firmware,
    lastCause: current?.lastCause ?? null
  }
}
