import type { ActionLogRecord } from '@batti/contracts'

type Row = Pick<ActionLogRecord, '_id' | 'kind' | 'switchId' | 'state'>

/**
 * Returns the row that explains a switch's present state: the oldest of the newest rows with that state. A fan that was
 * turned on and then slowed down is on because it was turned on. Rows are newest first.
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
