import type { Route } from '@batti/contracts'
import type { Request, Response } from 'express'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import { countedMax } from '../paging.ts'
import { Reply } from './call.ts'

const rowsAPage = 500
const lineEnd = '\r\n'

/** Whether the caller asks for a list as a table: names CSV, and does not prefer JSON. */
export const wantsCsv = (route: Route, req: Request): boolean =>
  route.rows !== undefined &&
  (req.headers.accept ?? '').toLowerCase().includes('text/csv') &&
  req.accepts('text/csv', 'json') !== 'json'

/**
 * Streams all rows of a list's filter as RFC 4180, page by page, so that no list is in memory as a whole. `read` returns
 * one page, like the list's handler; one that understands `after`, the last row of the page before, need not read again
 * what comes before. A row inserted meanwhile shifts rows to the next page; those of the page before are skipped. One that
 * is deleted, or sorted elsewhere, meanwhile may hide another from lists that do not understand `after`.
 */
export async function sendCsv(
  route: Route,
  res: Response,
  read: (page: { page: number; limit: number; after: Row | null }) => Promise<unknown>
): Promise<void> {
  const field = route.rows ?? ''
  const columns = columnsOf(route, field)
  const name = route.path.split('/').findLast((part) => part !== '' && !part.startsWith('{')) ?? 'list'
  let after: Row | null = null
  const readPage = async (page: number) => {
    const answer = pageOf(await read({ page, limit: rowsAPage, after }), field)
    after = answer.rows.at(-1) ?? null
    return answer
  }
  // Headers are sent only after the first page was read, so that a refusal is still a normal answer.
  const first = await readPage(1)
  res.status(200).set({
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': `attachment; filename="${name}.csv"`,
    Vary: 'Accept'
  })
  async function* pages(): AsyncGenerator<string> {
    yield csvLine(columns)
    let before = new Set<unknown>()
    for (let page = 1; ; page += 1) {
      const { rows, total, totalPages } = page === 1 ? first : await readPage(page)
      const fresh = rows.filter((row) => !before.has(keyOf(row)))
      before = new Set(rows.map(keyOf))
      yield fresh.map((row) => csvLine(columns.map((column) => row[column]))).join('')
      // Large search results are not counted completely, and some lists not at all.
      const isCounted = totalPages !== null && total < countedMax
      if (isCounted ? page >= totalPages : rows.length < rowsAPage) return
    }
  }
  await pipeline(Readable.from(pages()), res).catch((error: NodeJS.ErrnoException) => {
    // The client went away before the end.
    if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error
  })
}

type Row = Readonly<Record<string, unknown>>

/** Targets of rollouts have the id of their board, and change meanwhile; events of boards have none, and do not change. */
const keyOf = (row: Row): unknown => row['_id'] ?? row['deviceId'] ?? JSON.stringify(row)

function pageOf(outcome: unknown, field: string): { rows: Row[]; total: number; totalPages: number | null } {
  const data = outcome instanceof Reply ? (outcome.options.beside ?? outcome.data) : outcome
  if (typeof data !== 'object' || data === null) return { rows: [], total: 0, totalPages: null }
  const fields: Readonly<Record<string, unknown>> = { ...data }
  const rows = fields[field]
  const { total, totalPages } = fields
  return {
    rows: Array.isArray(rows) ? rows.map((row: object): Row => ({ ...row })) : [],
    total: typeof total === 'number' ? total : 0,
    totalPages: typeof totalPages === 'number' ? totalPages : null
  }
}

/** Returns every field that the contracts define for a row, even those that screens hide. */
function columnsOf(route: Route, field: string): string[] {
  const list: unknown = route.answer instanceof z.ZodObject ? route.answer.shape[field] : undefined
  const row: unknown = list instanceof z.ZodArray ? list.element : undefined
  return row instanceof z.ZodObject ? Object.keys(row.shape) : []
}

export const csvLine = (cells: readonly unknown[]): string => cells.map(csvCell).join(',') + lineEnd

/**
 * Where a formula starts: spreadsheets skip white space, and some accept full-width signs of East Asian keyboards. Where `;`
 * separates, as in parts of Europe, one divides a cell there and ignores its quotes.
 */
const formulaStart = /(?<=^|;)(?=\s*[=+\-@＝＋－＠])|^(?=[\t\r\n])/g

/** Prefixes what a spreadsheet would run as a formula with an apostrophe. */
export function csvCell(value: unknown): string {
  const safe = cellText(value).replaceAll(formulaStart, "'")
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

function cellText(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
