import type { Model } from 'mongoose'
import { inBatches } from '../../platform/store/batches/in-batches.ts'
import type { ActionLogDocument } from './action-log.model.ts'

/**
 * Replaces rows that another instance stored without a cause. It could not look up the command in time, because the
 * database was away or busy; the instance that sent the command knows its cause.
 */
export async function nameCauses(
  actionLogs: Model<ActionLogDocument>,
  rows: readonly ActionLogDocument[],
  inserted: ReadonlySet<ActionLogDocument>
): Promise<void> {
  const known = rows.filter((row) => !inserted.has(row) && row.commandId !== null && row.cause?.by !== 'unknown')
  for (const batch of inBatches(known)) {
    await actionLogs.collection.bulkWrite(
      batch.map((row) => ({ replaceOne: { filter: { _id: row._id, 'cause.by': 'unknown' }, replacement: row } })),
      { ordered: false }
    )
  }
}
