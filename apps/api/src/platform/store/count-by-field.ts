import { Types, type Model } from 'mongoose'

/** How many documents name each of these ids in `field`; ids that none names are left out. One query. */
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
