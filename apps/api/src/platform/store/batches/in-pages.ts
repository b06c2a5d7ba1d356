import type { Model, QueryFilter } from 'mongoose'

const pageSize = 1000

/**
 * Yields every document of a condition by id, in pages of one query each: reading a whole collection in one call would
 * exceed its deadline (`database.ts`).
 */
export async function* inPages<Document extends { _id: unknown }, Field extends keyof Document = '_id'>(
  model: Model<Document>,
  condition: QueryFilter<Document>,
  fields: Readonly<Record<string, 1>>,
  size = pageSize
): AsyncGenerator<Pick<Document, Field | '_id'>[]> {
  yield* pagesOf(size, (after) =>
    model
      .find({ $and: [condition, after] }, { ...fields, _id: 1 })
      .sort({ _id: 1 })
      .limit(size)
      .lean<Pick<Document, Field | '_id'>[]>()
  )
}

/** Like `inPages`, for rows that `read` returns in order of their ids: at most `size`, with ids that match `after`. */
export async function* pagesOf<Row extends { _id: unknown }>(size: number, read: (after: object) => Promise<Row[]>) {
  let after: object = {}
  for (;;) {
    const page = await read(after)
    const last = page.at(-1)
    if (last === undefined) return
    yield page
    if (page.length < size) return
    after = { _id: { $gt: last._id } }
  }
}
