/** What a report contains besides outlet states, and its rows in the log. */
import { changeSentence, type ChangeCause, type DeviceReport, type Outlet } from '@batti/contracts'
import { dayMs, minuteMs } from '@batti/kit/durations'
import { Types } from 'mongoose'
import type { OutletChange } from '../../platform/events.ts'
import type { LiveDevice } from '../registry/live-device.ts'
import { storedCause, type ActionLogDocument } from './action-log.model.ts'
import { timeBefore } from './gaps.ts'

/** A board that ran a schedule while offline reports when; older or future times are not trusted. */
const believedDelayMs = 30 * dayMs

/** How far a board's clock may differ from the server's. */
const clockErrorMs = minuteMs

/** Returns the board's own time of the event if it was offline then; otherwise now. */
export function happenedAt(
  { occurredAt }: DeviceReport,
  { now, awayUntil }: { now: number; awayUntil: number }
): number {
  const latest = Math.min(now, awayUntil + clockErrorMs)
  return occurredAt !== undefined && occurredAt <= latest && occurredAt > now - believedDelayMs ? occurredAt : now
}

/**
 * Dates a late report before the one that overtook it; otherwise the log would end with an outdated state. Where that one is
 * unknown, the newest report stands for it.
 */
function loggedAt(device: LiveDevice, report: DeviceReport, at: number, overtakenAt: number | undefined): number {
  const isOvertaken = report.bootId === device.bootId && report.seq < device.seq
  return isOvertaken ? Math.min(at, overtakenAt ?? timeBefore(device.stateAt, device.seq - report.seq)) : at
}

/** Whether the log rows and the board's next report together repeat everything it says. */
export const isInLogAlone = ({ cause, osVersion, localIp, configRev, schedulesRev }: DeviceReport): boolean =>
  cause !== 'boot' && [osVersion, localIp, configRev, schedulesRev].every((fact) => fact === undefined)

/**
 * Returns what a report says besides its switches, or of that what is not `known`: some boards say their version and address each
 * time. Null if nothing.
 */
export function factsOf(
  report: DeviceReport,
  known?: Pick<LiveDevice, 'localIp' | 'osVersion'>
): Record<string, string | number> | null {
  const facts: Record<string, string | number> = {}
  if (report.rssi !== undefined) facts['wifiRSSI'] = report.rssi
  for (const name of ['localIp', 'osVersion'] as const) {
    const said = report[name]
    if (said !== undefined && (said !== known?.[name] || report.cause === 'boot')) facts[name] = said
  }
  return Object.keys(facts).length === 0 ? null : facts
}

/** What every row of a change contains: whose board it was, and who changed it. */
export const changedBy = (device: Pick<LiveDevice, 'id' | 'mac' | 'userId'>, cause: ChangeCause) => ({
  kind: 'change' as const,
  userId: device.userId === null ? null : new Types.ObjectId(device.userId),
  userName: cause.userName ?? '',
  from: cause.from,
  cause: storedCause(cause),
  deviceId: new Types.ObjectId(device.id),
  deviceMac: device.mac
})

export function logRow(
  device: LiveDevice,
  report: DeviceReport,
  change: OutletChange,
  context: {
    cause: ChangeCause
    before: readonly Outlet[]
    happenedAt: number
    /** For a late report: a time just before the one that overtook it. */
    overtakenAt?: number | undefined
    tookMs: number | null
  }
): Omit<ActionLogDocument, '_id'> {
  const { cause, before, tookMs } = context
  const outlet = device.outlets[change.index]
  return {
    ...changedBy(device, cause),
    description: changeSentence(outlet?.name ?? `Switch ${change.index + 1}`, before[change.index]?.on, change),
    switchId: outlet === undefined || outlet.switchId === '' ? null : new Types.ObjectId(outlet.switchId),
    switchIndex: change.index,
    switchName: outlet?.name ?? null,
    state: change.on,
    speed: change.level ?? 0,
    commandId: report.commandId ?? null,
    ...(tookMs === null ? {} : { tookMs }),
    report: { bootId: report.bootId, seq: report.seq },
    ...(cause.scheduleId === undefined || report.scheduleId === undefined ? {} : { occurrence: report.scheduleId }),
    createdAt: new Date(loggedAt(device, report, context.happenedAt, context.overtakenAt))
  }
}
