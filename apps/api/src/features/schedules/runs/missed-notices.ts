import { createHash } from 'node:crypto'
import { displayName, type LiveDevice } from '../../../boards/registry/live-device.ts'
import type { MissedReason } from './judge-firing.ts'
import type { OccurrenceDocument } from './occurrence.model.ts'

/** A missed occurrence and its board. */
export interface Missed {
  row: OccurrenceDocument
  device: LiveDevice
  reason: MissedReason
}

const because: Record<MissedReason, string> = {
  offline: 'was offline',
  'no-response': 'did not respond',
  refused: 'refused',
  'server-down': 'could not be reached, because the server was down'
}

const nameOf = ({ row, device }: Missed): string =>
  device.outlets[row.switchIndex]?.name ?? `Switch ${row.switchIndex + 1}`

/** `Kitchen lamp was not turned ON at 18:00: Living room wall was offline`. */
function describeMissed(missed: Missed): string {
  const { row, device, reason } = missed
  return `${nameOf(missed)} was not turned ${row.action.toUpperCase()} at ${row.time}: ${displayName(device)} ${because[reason]}`
}

/** Returns the notice for each owner: one sentence, however many schedules were missed at once. */
export function noticesFor(missed: readonly Missed[]): { userId: string; text: string }[] {
  const byOwner = Map.groupBy(missed, ({ device }) => device.userId ?? '')
  return [...byOwner].flatMap(([userId, [first, ...others]]) => {
    if (userId === '' || first === undefined) return []
    const more =
      others.length === 0
        ? '.'
        : `, and ${others.length} more ${others.length === 1 ? 'schedule was' : 'schedules were'} missed.`
    return [{ userId, text: `${describeMissed(first)}${more}` }]
  })
}

/** The action log row of a missed occurrence. */
export interface MissedLog {
  id: string
  userId: string | null
  description: string
  deviceId: string
  deviceMac: string
  switchId: string | null
  switchIndex: number
  switchName: string
  scheduleId: string
  /** The occurrence's own id. */
  occurrence: string
  at: Date
}

export function missedLogOf(missed: Missed): MissedLog {
  const { row, device } = missed
  return {
    id: missedLogId(row._id),
    userId: device.userId,
    description: describeMissed(missed),
    deviceId: device.id,
    deviceMac: device.mac,
    switchId: device.outlets[row.switchIndex]?.switchId || null,
    switchIndex: row.switchIndex,
    switchName: nameOf(missed),
    scheduleId: String(row.scheduleId),
    occurrence: row._id,
    at: row.dueAt
  }
}

/** Derives the row's id from the occurrence's, so that there is one row however often it is written. */
export const missedLogId = (occurrenceId: string): string =>
  createHash('sha256').update(occurrenceId).digest('hex').slice(0, 24)
