import {
  levelListsOf,
  outletsToWire,
  statesToWire,
  type DeviceSnapshot,
  type SwitchUpdateEvent
} from '@batti/contracts'
import type { ReportNotice } from '../boards/reports/report-notice.ts'
import type { LiveDevice } from '../boards/registry/live-device.ts'

export const userRoom = (userId: string): string => `user:${userId}`
export const deviceRoom = (deviceMac: string): string => `device:${deviceMac}`
/** Returns the MAC of the board that a room belongs to; undefined for a room of no board. */
export const macOfRoom = (room: string): string | undefined =>
  room.startsWith('device:') ? room.slice('device:'.length) : undefined
/** The room of staff who may see every board. */
export const staffRoom = 'staff'
export const sessionRoom = (sessionId: string): string => `session:${sessionId}`

/** Returns what a page shows after it has (re)joined the room of a board. */
export function snapshotOf(device: LiveDevice): DeviceSnapshot {
  const { bootId, seq, stateAt: at } = device
  return {
    deviceMac: device.mac,
    isOnline: device.isOnline,
    ...outletsToWire(device.outlets),
    // A board that is online may still have reported nothing.
    ...(at === 0 ? { bootId: null, seq: null, at: null } : { bootId, seq, at })
  }
}

/** Builds `switch-update`: the state of all switches, and the changed one if exactly one changed. */
export function switchUpdateOf(device: LiveDevice, notice: ReportNotice): SwitchUpdateEvent {
  const [only, ...others] = notice.changed
  return {
    deviceMac: device.mac,
    // Another instance may tell of a report when its board has gone since.
    isOnline: device.isOnline,
    update: { ...statesToWire(device.outlets), ...levelListsOf(device.outlets) },
    ...(only !== undefined && others.length === 0 ? { switchIndex: only.index, state: only.on } : {}),
    ...(notice.commandId === undefined ? {} : { commandId: notice.commandId }),
    cause: notice.cause,
    bootId: device.bootId,
    seq: device.seq,
    at: notice.at
  }
}
