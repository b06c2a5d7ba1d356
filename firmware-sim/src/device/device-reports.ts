import { statesToWire } from '@batti/contracts'
import type { DeviceState } from './device-state.ts'
import { addReport, type ReportBody } from './report-queue.ts'
import { bestOffset } from './server-clock.ts'

/** Queues a report of the whole state. */
export function report(
  state: DeviceState,
  why: Partial<ReportBody> & Pick<ReportBody, 'cause'>,
  now: number
): DeviceState {
  const body = why.cause === 'boot' ? snapshot(state, now) : outlets(state, now)
  return { ...state, reports: addReport(state.reports, { ...body, ...why }, now) }
}

export const uptimeS = (state: DeviceState, now: number): number =>
  Math.max(0, Math.round((now - state.bootedAt) / 1000))

const outlets = (state: DeviceState, now: number) => ({
  ...statesToWire(state.outlets),
  rssi: state.rssi,
  uptimeS: uptimeS(state, now)
})

export const revisions = (state: DeviceState) => ({
  configRev: state.config.rev,
  ...(state.timetable === null ? {} : { schedulesRev: state.timetable.rev })
})

/** Returns the whole state of the board, for a server that knows nothing about it. */
export const snapshot = (state: DeviceState, now: number) => ({
  ...outlets(state, now),
  osVersion: state.osVersion,
  localIp: state.localIp,
  ...revisions(state)
})

/** Returns the present time on the server's clock, if the board knows it. */
export function occurred(state: DeviceState, now: number): { occurredAt?: number } {
  const offset = bestOffset(state.clock)
  return offset === null ? {} : { occurredAt: now + offset }
}
