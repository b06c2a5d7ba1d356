import type { Model, QueryFilter } from 'mongoose'
import { countedMax, type SortOrder } from '../../paging.ts'
import type { TextSearch } from './search-keys.ts'

/** Up to this many matches are read and sorted; more are read in the requested order until the page is full. */
const foundMax = 2000

export interface SortedPage {
  order: SortOrder
  page: { skip: number; limit: number }
  search?: TextSearch | undefined
  /** Returns the total without a search, where it is known without counting. */
  countAll?: (() => Promise<number>) | undefined
  /** The number of matches is not needed: `total` is only the number of returned rows. */
  isUncounted?: boolean | undefined
  /** The most selective index, where several could serve and only the caller knows. */
  narrowest?: SortOrder | undefined
}

/** Returns one page of what `condition` and the search match, and the total. The order leaves no two rows equal. */
export async function findSortedPage<Document>(
  model: Model<Document>,
  condition: QueryFilter<Document>,
  { order, page, search, countAll, isUncounted = false, narrowest }: SortedPage
): Promise<{ rows: Document[]; total: number }> {
  const read = (found: object, hint?: SortOrder) => {
    const query = model.find(found).sort(order).skip(page.skip).limit(page.limit)
    return (hint === undefined ? query : query.hint(hint)).lean<Document[]>()
  }
  /** A first page with room left holds everything, as in most homes: nothing needs to be counted. */
  const withTotal = async (rows: Document[], counted: () => Promise<number>) => ({
    rows,
    total: page.skip === 0 && rows.length < page.limit ? rows.length : await counted()
  })
  if (narrowest !== undefined && search === undefined) {
    const counting = () => model.countDocuments(condition, { limit: countedMax + 1, hint: narrowest })
    return withTotal(await read(condition, narrowest), counting)
  }
  const byOrder = indexFor(model, order, condition)
  const countCondition = () => countAll?.() ?? count(model, condition)
  if (search === undefined && (byOrder === undefined || byOrder.servesAll)) {
    return withTotal(await read(condition), countCondition)
  }
  const total = await countCondition()
  const hint = total > foundMax ? byOrder?.key : undefined
  if (search === undefined) return { rows: await read(condition, hint), total }
  const matching = (any: readonly object[]): QueryFilter<Document> =>
    Object.keys(condition).length === 0 ? { $or: [...any] } : { $and: [condition, { $or: [...any] }] }
  const byReading = matching(search.byReading)
  // Small sets are read. In large sets, few matches are read by their keys, and many in the requested order.
  if (total <= foundMax) {
    const [rows, found] = await Promise.all([read(byReading), model.countDocuments(byReading)])
    return { rows, total: found }
  }
  const byKeys = search.byKeys === null ? null : { $or: [...search.byKeys] }
  // A condition that excludes little is checked on the matches. A narrow one has its own index, which must not win over the keys.
  const leavesAll = Object.keys(condition).length === 0 || countAll !== undefined
  const isFew = byKeys !== null && (await model.countDocuments(byKeys, { limit: foundMax + 1 })) <= foundMax
  if (!isFew && isUncounted) return uncounted(await read(byReading, hint))
  if (!isFew) {
    const counted = search.byKeys === null ? byReading : matching(search.byKeys)
    const [rows, isEndless] = await Promise.all([
      read(byReading, hint),
      leavesAll ? anyFinds(model, search.byKeys ?? [], countedMax + 1) : false
    ])
    return { rows, total: isEndless ? countedMax + 1 : await model.countDocuments(counted, { limit: countedMax + 1 }) }
  }
  if (leavesAll) {
    const found = matching(search.byKeys ?? [])
    const [rows, sum] = await Promise.all([read(found), model.countDocuments(found)])
    return { rows, total: sum }
  }
  const found = { $and: [{ _id: { $in: await idsOf(model, byKeys) } }, condition] }
  const hinted = { hint: { _id: 1 as const } }
  const [rows, sum] = await Promise.all([read(found, hinted.hint), model.countDocuments(found, hinted)])
  return { rows, total: sum }
}

const uncounted = <Document>(rows: Document[]): { rows: Document[]; total: number } => ({ rows, total: rows.length })

/** Returns the ids that a search finds by its keys; null if there are more than `foundMax`. */
export async function findIds<Document>(
  model: Model<Document>,
  { byKeys }: Pick<TextSearch, 'byKeys'>
): Promise<unknown[] | null> {
  if (byKeys === null) return null
  if (byKeys.length === 0) return []
  const found: QueryFilter<Document> = { $or: [...byKeys] }
  // Counting on an index reads no documents.
  return (await model.countDocuments(found, { limit: foundMax + 1 })) > foundMax ? null : idsOf(model, found)
}

/** Whether any single key matches that many: an index counts one key alone, but several together must be fetched and merged. */
async function anyFinds<Document>(model: Model<Document>, keys: readonly object[], many: number): Promise<boolean> {
  for (const key of keys) if ((await model.countDocuments(key, { limit: many })) >= many) return true
  return false
}

async function idsOf<Document>(model: Model<Document>, condition: QueryFilter<Document>): Promise<unknown[]> {
  return (await model.find(condition, { _id: 1 }).lean<{ _id: unknown }[]>()).map(({ _id }) => _id)
}

/** Counts completely if an index can, otherwise up to `countedMax`. */
function count<Document>(model: Model<Document>, condition: QueryFilter<Document>): Promise<number> {
  const fields = Object.keys(condition)
  if (fields.length === 0) return model.estimatedDocumentCount()
  const others = fields.filter((field) => !isPlain(Reflect.get(condition, field)))
  const isSpan = others.every((field) => isSpanOfTime(Reflect.get(condition, field)))
  const isIndexed = model.schema.indexes().some(([key, { partialFilterExpression }]) => {
    const first = Object.keys(key).slice(0, fields.length)
    // A time range is one contiguous part of an index if all other fields come before it.
    const isStretch = isSpan && others.every((field) => field === first.at(-1))
    return partialFilterExpression === undefined && isStretch && fields.every((field) => first.includes(field))
  })
  return isIndexed ? model.countDocuments(condition) : model.countDocuments(condition, { limit: countedMax + 1 })
}

const isPlain = (value: unknown): boolean => typeof value !== 'object' || value === null || '_bsontype' in value
const isSpanOfTime = (value: object): boolean => Object.values(value).every((bound) => bound instanceof Date)

/** Returns the index that yields the matches of `condition` in the requested order. `servesAll`: and no other rows. */
function indexFor<Document>(
  model: Model<Document>,
  order: SortOrder,
  condition: QueryFilter<Document>
): { key: SortOrder; servesAll: boolean } | undefined {
  const wanted = Object.entries(order)
  const fields = Object.keys(condition)
  const found = model.schema.indexes().flatMap(([key, { partialFilterExpression }]) => {
    const parts = Object.entries(key).map(([field, direction]): [string, 1 | -1] => [field, direction === -1 ? -1 : 1])
    const fixed = parts.slice(0, parts.length - wanted.length)
    const rest = parts.slice(fixed.length)
    const turn = (rest[0]?.[1] ?? 1) * (wanted[0]?.[1] ?? 1)
    const isWhole = Object.entries(partialFilterExpression ?? {}).every(
      ([field, value]) => Reflect.get(condition, field) === value
    )
    const isOrdered =
      isWhole &&
      rest.length === wanted.length &&
      rest.every(([field, direction], at) => field === wanted[at]?.[0] && direction * turn === wanted[at]?.[1]) &&
      fixed.every(([field]) => fields.includes(field))
    return isOrdered ? [{ key: Object.fromEntries(parts), servesAll: fixed.length === fields.length }] : []
  })
  return found.find(({ servesAll }) => servesAll) ?? found.toSorted((a, b) => size(b.key) - size(a.key))[0]
}

const size = (key: SortOrder): number => Object.keys(key).length
