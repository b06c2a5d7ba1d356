import { listLimitMax, type PageInfo, type PageQuery } from '@batti/contracts'

export interface Page {
  page: number
  limit: number
  skip: number
}

/** All that a condition finds: no limit, as mongoose has it. */
export const everything: Page = { page: 1, limit: 0, skip: 0 }

/** Without `page` and `limit` a list comes whole, up to the most there may be. */
export function pageOf(query: Pick<PageQuery, 'page' | 'limit'> | undefined): Page {
  const page = query?.page ?? 1
  const limit = query?.limit ?? listLimitMax
  return { page, limit, skip: (page - 1) * limit }
}

/** No list counts further than to one more than this what an index does not count: nobody turns so many pages. */
export const countedMax = 10_000

/** What every list carries beside its rows. */
export function pageInfo(page: Page, total: number): PageInfo {
  const isTotalCapped = total === countedMax + 1
  const counted = isTotalCapped ? countedMax : total
  return {
    total: counted,
    page: page.page,
    limit: page.limit,
    totalPages: Math.max(1, Math.ceil(counted / page.limit)),
    ...(isTotalCapped ? { isTotalCapped } : {})
  }
}

export const escapePattern = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/** A case-insensitive "contains" that takes what people type literally. */
export const containsText = (text: string): RegExp => new RegExp(escapePattern(text.trim()), 'i')

export type SortOrder = Record<string, 1 | -1>

/**
 * The order of a list whose column is `sort` (`-` turns it round); `fields` says where a column is stored when that is
 * not under its own name. Ties are sorted by `_id`, so that the pages of a list never repeat a row.
 */
export function orderOf(
  sort: string | undefined,
  usual: SortOrder,
  fields: Readonly<Record<string, string>> = {}
): SortOrder {
  if (sort === undefined) return '_id' in usual ? usual : { ...usual, _id: Object.values(usual)[0] ?? 1 }
  const column = sort.replace(/^-/, '')
  const direction = sort.startsWith('-') ? -1 : 1
  const field = fields[column] ?? column
  return field === '_id' ? { _id: direction } : { [field]: direction, _id: direction }
}

/** A page of rows in the order of what no record holds itself; ties by `_id`, all turned round for a `sort` with `-`. */
export function pageSortedBy<Row extends { _id: unknown }>(
  rows: readonly Row[],
  valueOf: (row: Row) => number | string,
  sort: string,
  { skip, limit }: Omit<Page, 'page'>
): Row[] {
  const direction = sort.startsWith('-') ? -1 : 1
  const keyed = rows.map((row) => ({ row, value: valueOf(row), id: String(row._id) }))
  const order = <Value extends number | string>(a: Value, b: Value): number => (a < b ? -1 : a > b ? 1 : 0)
  const sorted = keyed.toSorted((a, b) => direction * (order(a.value, b.value) || order(a.id, b.id)))
  return sorted.slice(skip, skip + limit).map(({ row }) => row)
}

/** The rows of these ids, in the order of the ids; one without a row is left out. */
export function inOrderOf<Row extends { _id: unknown }>(ids: readonly unknown[], rows: readonly Row[]): Row[] {
  const byId = new Map(rows.map((row) => [String(row._id), row]))
  return ids.flatMap((id) => byId.get(String(id)) ?? [])
}
