import type { ActionLogRecord } from '@batti/contracts'

export interface LogPage {
  logs: readonly ActionLogRecord[]
  total: number
  page: number
  totalPages: number
}

/**
 * Joins a new first page with the pages that were loaded before, newest first. Returns all pages, or null if that could
 * hide a change: no common row, rows that have gone, or so many new rows that the next page would bring nothing.
 */
export function joinPages(first: LogPage, before: readonly LogPage[], pageSize: number): LogPage[] | null {
  const [top, ...older] = before
  if (top === undefined || older.length === 0) return null
  const known = new Set(top.logs.map(({ _id }) => _id))
  const added = first.logs.filter(({ _id }) => !known.has(_id)).length
  const isWhole = added < first.logs.length && added === first.total - top.total
  if (!isWhole || top.logs.length + added >= 2 * pageSize) return null
  const read = new Set(first.logs.map(({ _id }) => _id))
  const logs = [...first.logs, ...top.logs.filter(({ _id }) => !read.has(_id))]
  const { total, totalPages } = first
  return [{ ...first, logs }, ...older.map((page) => ({ ...page, total, totalPages }))]
}
