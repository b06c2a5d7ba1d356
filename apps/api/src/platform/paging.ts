import { listLimitMax, type PageInfo, type PageQuery } from '@batti/contracts'

export interface Page {
  page: number
  limit: number
  skip: number
}

/** Everything that a condition matches: mongoose takes 0 as no limit. */
export const everything: Page = { page: 1, limit: 0, skip: 0 }

/** Without `page` and `limit`, a list is returned whole, up to the maximum. */
export function pageOf(query: Pick<PageQuery, 'page' | 'limit'> | undefined): Page {
  const page = query?.page ?? 1
  const limit = query?.limit ?? listLimitMax
  return { page, limit, skip: (page - 1) * limit }
}

/** Lists that no index counts are counted up to one more than this: nobody turns that many pages. */
export const countedMax = 10_000

/** Returns the fields that every list has beside its rows. */
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

/** Returns a case-insensitive "contains" pattern that matches the text literally. */
export const containsText = (text: string): RegExp => new RegExp(escapePattern(text.trim()), 'i')

export type SortOrder = Record<string, 1 | -1>

/**
 * Returns the order for the column `sort` (`-` reverses it); `fields` maps columns that are stored under another name.
 * Ties are sorted by `_id`, so that the pages of a list never repeat a row.
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

/** Returns a page of rows sorted by a value that records do not store; ties by `_id`, all reversed for a `sort` with `-`. */
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

/** Returns the rows in the order of their ids; ids without a row are skipped. */
export function inOrderOf<Row extends { _id: unknown }>(ids: readonly unknown[], rows: readonly Row[]): Row[] {
  const byId = new Map(rows.map((row) => [String(row._id), row]))
  return ids.flatMap((id) => byId.get(String(id)) ?? [])
}
