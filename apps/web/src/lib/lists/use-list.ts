import { z } from 'zod'
import { useEffect, useEffectEvent } from 'react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { AnswerOf, CallableRoute } from '@batti/client/request'
import { listKeyOf } from '#web/lib/query-keys.ts'
import { useApi } from '#web/lib/services.ts'
import type { ListAddress } from './list-address.ts'
import { useListAddress, type ChangeList } from './use-list-address.ts'

export interface ListOptions<R extends CallableRoute, Row> {
  /** In the storage's key and in the name of an exported file. */
  name: string
  route: R
  /** The rows of an answer. */
  rows: (answer: AnswerOf<R>) => readonly Row[]
  pageSize: number
  queryKey: readonly string[]
  /** Filters that stand in the address under the name that the call has for them. */
  filters?: readonly string[]
  /** What the call takes beside: filters in another form, or an owner whose rows alone are meant. */
  toQuery?: (filters: Readonly<Record<string, string>>) => Record<string, unknown>
  /** The column that the server sorts by of itself, with its minus: its head says so. */
  ownSort?: string
}

/** One list of the server: a page of its rows, how it is shown, and what can be asked of it. */
export interface List<Row> {
  name: string
  rows: readonly Row[]
  /** Rows of the filter, on all pages. */
  total: number
  /** There are more than `total`, which nobody has counted. */
  isTotalCapped: boolean
  pageSize: number
  address: ListAddress
  filters: Readonly<Record<string, string>>
  change: ChangeList
  setFilter: (name: string, value: string) => void
  /** '' where the list's own order is that of no column. */
  ownSort: string
  /** Whether the server sorts by this column. */
  canSort: (column: string) => boolean
  /** What the list was asked for, without its page: for calls about all its rows. */
  query: Record<string, unknown>
  state: ListState
  /** All rows of the filter; told is which share of them is here, 0 to 1. */
  exportCsv: (onProgress: (share: number) => void) => Promise<string>
}
export interface ListState {
  isPending: boolean
  isError: boolean
  error: Error | null
  isFetching: boolean
  /** The rows are those of the question before. */
  isPrevious: boolean
  refetch: () => void
}

const none: readonly never[] = []

/** In the answer itself, or beside one that is a bare list. */
const totals = z.object({ total: z.int(), isTotalCapped: z.literal(true).optional() })
const totalsOf = (from: unknown) => totals.safeParse(from).data

/** The fields of a query that the call takes; an address that somebody typed may hold others. */
function acceptable(schema: z.ZodType | undefined, query: Record<string, unknown>): Record<string, unknown> {
  const bad = new Set(schema?.safeParse(query).error?.issues.map(({ path }) => path[0]) ?? [])
  return Object.fromEntries(
    Object.entries(query).filter(([name, value]) => value !== undefined && value !== '' && !bad.has(name))
  )
}

export function useList<R extends CallableRoute, Row>({
  name,
  route,
  rows,
  pageSize,
  queryKey,
  filters: knownFilters = none,
  toQuery = (filters) => filters,
  ownSort = ''
}: ListOptions<R, Row>): List<Row> & { answer: AnswerOf<R> | undefined } {
  const api = useApi()
  const { address, filters, change, setFilter } = useListAddress(name, knownFilters)
  const call: CallableRoute = route
  const query = acceptable(call.query, { search: address.search, sort: address.sort, ...toQuery(filters) })
  const paged = { ...query, page: address.page, limit: pageSize }
  const found = useQuery({
    queryKey: [...listKeyOf(queryKey), paged],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const { data, body } = await api.callEnvelope(call, { query: paged, signal })
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- parsed by the route's own schema
      const answer = data as AnswerOf<R>
      const page = rows(answer)
      return { answer, rows: page, ...(totalsOf(data) ?? totalsOf(body) ?? { total: page.length }) }
    }
  })
  const { rows: shown = none, total = 0, isTotalCapped = false } = found.data ?? {}
  // Rows were deleted, or the address was typed: this page is past the last.
  const lastPage = Math.max(1, Math.ceil(total / pageSize))
  const hasNone = total > 0 && shown.length === 0
  const isPast = hasNone && !found.isPlaceholderData && address.page > lastPage
  const goToLast = useEffectEvent(() => change({ page: lastPage }, {}, { replace: true }))
  useEffect(() => {
    if (isPast) goToLast()
  }, [isPast])
  return {
    name,
    /** What stands beside the rows. */
    answer: found.data?.answer,
    rows: shown,
    total,
    isTotalCapped,
    pageSize,
    address,
    filters,
    change,
    setFilter,
    ownSort,
    canSort: (column) => call.query?.safeParse({ sort: column }).success === true,
    query,
    state: {
      isPending: found.isPending || isPast || (hasNone && found.isPlaceholderData),
      isError: found.isError,
      error: found.error,
      isFetching: found.isFetching,
      isPrevious: found.isPlaceholderData,
      refetch: () => void found.refetch()
    },
    exportCsv: (onProgress) => {
      // One line is the head's.
      const all = total + 1
      return api.csv(call, { query, onLines: (lines: number) => onProgress(Math.min(1, lines / all)) })
    }
  }
}
