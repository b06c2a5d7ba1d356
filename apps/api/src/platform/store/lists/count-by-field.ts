import { Types, type Model } from 'mongoose'

/** Counts how many documents have each of these ids in `field`, in one query; ids without any are left out. */
export async function countByField<Document>(
  model: Model<Document>,
  field: string,
  ids: readonly string[],
  where: object = {}
): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map()
  const found = await model.aggregate<{ _id: Types.ObjectId; count: number }>([
    { $match: { ...where, [field]: { $in: ids.map((id) => new Types.ObjectId(id)) } } },
    { $group: { _id: `$${field}`, count: { $sum: 1 } } }
  ])
  return new Map(found.map(({ _id, count }) => [String(_id), count]))
}
