import type { Model } from 'mongoose'
import type { ActionLogDocument } from './action-log.model.ts'

/**
 * Replaces rows that another instance stored without a cause. It could not look up the command in time, because the
 * database was away or busy; the instance that sent the command knows its cause.
 */
export async function nameCauses(
  actionLogs: Model<ActionLogDocument>,
  rows: readonly ActionLogDocument[],
  isStored: ReadonlySet<ActionLogDocument>
): Promise<void> {
  const known = rows.filter((row) => !isStored.has(row) && row.commandId !== null && row.cause?.by !== 'unknown')
  if (known.length === 0) return
  await actionLogs.collection.bulkWrite(
    known.map((row) => ({ replaceOne: { filter: { _id: row._id, 'cause.by': 'unknown' }, replacement: row } })),
    { ordered: false }
  )
}
