import type { Model, PipelineStage, QueryFilter } from 'mongoose'
import type { SortOrder } from '../paging.ts'

export interface SortedPage {
  order: SortOrder
  page: { skip: number; limit: number }
  /** Stages that make what is sorted by where another collection holds it, in fields that begin with `_by`. */
  joins?: PipelineStage.FacetPipelineStage[] | undefined
}

/** One page of what `condition` finds, in an order that never leaves two rows equal, and how many there are in all. */
export async function findSortedPage<Document>(
  model: Model<Document>,
  condition: QueryFilter<Document>,
  { order, page, joins }: SortedPage
): Promise<{ rows: Document[]; total: number }> {
  const isEverything = Object.keys(condition).length === 0
  const total = isEverything ? model.estimatedDocumentCount() : model.countDocuments(condition)
  if (joins === undefined) {
    const found = model.find(condition).sort(order).skip(page.skip).limit(page.limit).lean<Document[]>()
    const [rows, count] = await Promise.all([found, total])
    return { rows, total: count }
  }
  // An aggregation takes ids as they stand: the query casts the texts that filters hold.
  const query = model.find(condition)
  query.cast(model)
  const found = model.aggregate<Document>([
    { $match: query.getFilter() },
    ...joins,
    { $sort: order },
    { $skip: page.skip },
    { $limit: page.limit }
  ])
  const [rows, count] = await Promise.all([found, total])
  return { rows, total: count }
}

/** Puts one field of the record that `localField` names into `as`, for sorting. */
export const joinField = (
  from: string,
  localField: string,
  value: string | object,
  as: string
): PipelineStage.FacetPipelineStage[] => [
  { $lookup: { from, localField, foreignField: '_id', as: '_joined' } },
  { $addFields: { _joined: { $first: '$_joined' } } },
  { $addFields: { [as]: value } },
  { $unset: '_joined' }
]

/** Puts how many records of `from` name this one in `foreignField` into `as`. */
export const joinCount = (
  from: string,
  foreignField: string,
  as: string,
  where: object = {}
): PipelineStage.FacetPipelineStage[] => [
  {
    $lookup: {
      from,
      localField: '_id',
      foreignField,
      pipeline: [{ $match: where }, { $project: { _id: 1 } }],
      as: '_joined'
    }
  },
  { $addFields: { [as]: { $size: '$_joined' } } },
  { $unset: '_joined' }
]
