import { isDuplicateKey } from '../database.ts'
import { inBatches } from './in-batches.ts'

/**
 * Inserts the rows that are not stored yet, and returns them. `insert` is the driver's `insertMany`, unordered: one bulk write
 * reports every refused row.
 */
export async function insertNew<Row>(rows: readonly Row[], insert: (batch: Row[]) => Promise<unknown>): Promise<Row[]> {
  const inserted: Row[] = []
  for (const batch of inBatches(rows)) {
    try {
      await insert(batch)
      inserted.push(...batch)
    } catch (error) {
      const stored = duplicatesIn(error)
      if (stored === null) throw error
      inserted.push(...batch.filter((_, index) => !stored.has(index)))
    }
  }
  return inserted
}

/**
 * Returns the positions of the rows that exist already; null if there is any other error. The driver reports a lost connection
 * as a bulk write that refused no row: nothing is known to be stored then.
 */
function duplicatesIn(error: unknown): Set<number> | null {
  if (typeof error !== 'object' || error === null || !('writeErrors' in error)) return null
  const list: unknown[] = Array.isArray(error.writeErrors) ? error.writeErrors : [error.writeErrors]
  if (list.length === 0) return null
  const taken = new Set<number>()
  for (const each of list) {
    if (!isDuplicateKey(each) || typeof each !== 'object' || each === null || !('index' in each)) return null
    if (typeof each.index !== 'number') return null
    taken.add(each.index)
  }
  return taken
}
