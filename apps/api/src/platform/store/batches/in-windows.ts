import type { Model, QueryFilter } from 'mongoose'

const windowSize = 5000

/**
 * Yields the ids that match a condition without an index, scanning a limited number of documents per query: one query
 * over a whole collection would exceed the deadline of a call (`database.ts`).
 */
export async function* inWindows<Document extends { _id: unknown }>(
  model: Model<Document>,
  condition: QueryFilter<Document>,
  size = windowSize
): AsyncGenerator<Document['_id'][]> {
  let after: object = {}
  for (;;) {
    const last = await model
      .findOne(after, { _id: 1 })
      .sort({ _id: 1 })
      .skip(size - 1)
      .lean<{ _id: unknown }>()
    const upTo = last === null ? {} : { _id: { $lte: last._id } }
    const found = await model.find({ $and: [condition, after, upTo] }, { _id: 1 }).lean<{ _id: Document['_id'] }[]>()
    if (found.length > 0) yield found.map(({ _id }) => _id)
    if (last === null) return
    after = { _id: { $gt: last._id } }
  }
}
