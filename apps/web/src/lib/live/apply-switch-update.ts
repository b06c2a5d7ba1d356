import { outletsFromWire, withStates, type SwitchUpdateEvent } from '@batti/contracts'
import { isNewer, type DeviceLive } from './device-live.ts'

/** Applies a board's report: the newest `(bootId, seq)` wins; an older or repeated one changes nothing. */
export function applySwitchUpdate(current: DeviceLive | undefined, event: SwitchUpdateEvent): DeviceLive | undefined {
  if (current !== undefined && !isNewer(event, current)) return current
  const outlets = current === undefined ? outletsFromWire(event.update) : withStates(current.outlets, event.update)
  const { switchIndex = null } = event
  const before = switchIndex === null ? undefined : current?.outlets[switchIndex]
  const after = switchIndex === null ? undefined : outlets[switchIndex]
  const isLevel = before?.on === true && after?.on === true && before.level !== after.level
  return {
    mac: event.deviceMac,
    isOnline: event.isOnline,
    outlets,
    bootId: event.bootId,
    seq: event.seq,
    at: event.at,
    onlineChangedAt: current?.isOnline === event.isOnline ? current.onlineChangedAt : event.at,
    isFresh: true,
    firmware: current?.firmware ?? null,
    lastCause: { cause: event.cause, switchIndex, isLevel, at: event.at }
  }
}
