import type { DeviceHistory } from '@batti/contracts'
import type { CommandDocument } from '../../boards/commands/command.model.ts'
import type { ActionLogDocument } from '../../boards/reports/action-log.model.ts'
import { slotMs, type SignalDocument } from './fleet.models.ts'

type Unanswered = Pick<CommandDocument, 'sentAt' | 'endedAt' | 'state' | 'cause'>
type Confirmed = Pick<ActionLogDocument, 'commandId' | 'createdAt' | 'tookMs' | 'userName'>

/** Returns the commands to a board with their outcomes, newest first. A confirmed one may have switched several outlets. */
export function commandRows(
  unanswered: readonly Unanswered[],
  confirmed: readonly Confirmed[]
): DeviceHistory['commands'] {
  const rows: DeviceHistory['commands'] = [
    ...unanswered.map(({ sentAt, endedAt, state, cause }) => ({
      at: sentAt.toISOString(),
      result: state === 'failed' ? ('rejected' as const) : ('expired' as const),
      ms: state === 'failed' && endedAt !== undefined ? endedAt.getTime() - sentAt.getTime() : null,
      by: cause.userName ?? null
    })),
    ...[...new Map(confirmed.map((row) => [row.commandId, row])).values()].map((row) => ({
      at: row.createdAt.toISOString(),
      result: 'confirmed' as const,
      ms: row.tookMs ?? null,
      by: row.userName === '' ? null : row.userName
    }))
  ]
  return rows.toSorted((a, b) => (a.at < b.at ? 1 : -1))
}

/** Returns the signal of every ten minutes that end after `since`; `running` is the current, incomplete one. */
export function signalRows(
  hours: readonly Pick<SignalDocument, 'at' | 'slots'>[],
  running: { at: number; value: number } | null,
  since: number
): DeviceHistory['rssi'] {
  const signalAt = new Map(
    hours.flatMap(({ at, slots }) =>
      Object.entries(slots ?? {}).map(([slot, value]) => [at.getTime() + Number(slot) * slotMs, value] as const)
    )
  )
  if (running !== null) signalAt.set(running.at, running.value)
  return [...signalAt]
    .filter(([at]) => at + slotMs > since)
    .map(([at, value]) => ({ at: new Date(Math.max(at, since)).toISOString(), value }))
}
