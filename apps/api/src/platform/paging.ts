import { listLimitMax, type PageInfo, type PageQuery } from '@batti/contracts'

export interface Page {
  page: number
  limit: number
  skip: number
}

/** Without `page` and `limit` a list comes whole, up to the most there may be. */
export function pageOf(query: Pick<PageQuery, 'page' | 'limit'> | undefined): Page {
  const page = query?.page ?? 1
  const limit = query?.limit ?? listLimitMax
  return { page, limit, skip: (page - 1) * limit }
}

/** What every list carries beside its rows. */
export function pageInfo(page: Page, total: number): PageInfo {
  return { total, page: page.page, limit: page.limit, totalPages: Math.max(1, Math.ceil(total / page.limit)) }
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
