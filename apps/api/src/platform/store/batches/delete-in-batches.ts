import type { Model, QueryFilter } from 'mongoose'
import { commandMax } from './in-batches.ts'

/**
 * Deletes what `condition` matches, in as many commands as needed: a single one would exceed the deadline of a call and
 * change nothing (`database.ts`). `onDeleted` is called after each. Not for transactions, which would hold them all.
 */
export async function deleteInBatches<Document extends { _id: unknown }>(
  model: Model<Document>,
  condition: QueryFilter<Document>,
  onDeleted: (count: number) => void = () => undefined
): Promise<void> {
  for (;;) {
    const found = await model.find(condition, { _id: 1 }).limit(commandMax).lean<{ _id: unknown }[]>()
    const batch: QueryFilter<Document> = { _id: { $in: found.map(({ _id }) => _id) } }
    onDeleted((await model.deleteMany(batch)).deletedCount)
    if (found.length < commandMax) return
  }
}
