import type { ActionLogRecord } from '@batti/contracts'

type Row = Pick<ActionLogRecord, '_id' | 'kind' | 'switchId' | 'state'>

/**
 * The row that says why a switch is as it is: of its newest rows with the state it has now, the first one. A fan that was
 * turned on and then slowed down is on because it was turned on. Rows newest first.
 */
export function whyRow<Log extends Row>(rows: readonly Log[], switchId: string): Log | null {
  let why: Log | null = null
  for (const row of rows) {
    if (row.kind !== 'change' || row.switchId !== switchId || row.state === null) continue
    if (why !== null && row.state !== why.state) return why
    why = row
  }
  return why
}
