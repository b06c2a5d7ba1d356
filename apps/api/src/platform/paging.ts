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

/** A case-insensitive "contains" that takes what people type literally. */
export function containsText(text: string): RegExp {
  return new RegExp(text.trim().replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`), 'i')
}
