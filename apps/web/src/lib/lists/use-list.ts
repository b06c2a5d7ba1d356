import { z } from 'zod'
import { useEffect, useEffectEvent } from 'react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { NavigateOptions } from 'react-router-dom'
import type { AnswerOf, CallableRoute } from '@batti/client/request'
import { listKeyOf } from '#web/lib/query-keys.ts'
import { useApi } from '#web/lib/services.ts'
import type { ListAddress } from './list-address.ts'
import { useListAddress, type ChangeList } from './use-list-address.ts'

export interface ListOptions<R extends CallableRoute, Row> {
  /** Used in the storage key and in the name of an exported file. */
  name: string
  route: R
  /** Extracts the rows of an answer. */
  rows: (answer: AnswerOf<R>) => readonly Row[]
  pageSize: number
  queryKey: readonly string[]
  /** Filters that have the same name in the address and in the call. */
  filters?: readonly string[]
  /** Returns further query fields: filters in another form, or an owner to whom the list is limited. */
  toQuery?: (filters: Readonly<Record<string, string>>) => Record<string, unknown>
  /** The column of the server's default order, with a minus when descending: the table head shows it. */
  ownSort?: string
}

/** A list on the server: a page of its rows, its view, and the actions on it. */
export interface List<Row> {
  name: string
  rows: readonly Row[]
  /** The page of these rows: that of the previous query while the next one loads. */
  page: number
  /** The number of rows that match the filter, on all pages. */
  total: number
  /** The server stopped counting at `total`; there are more rows. */
  isTotalCapped: boolean
  pageSize: number
  address: ListAddress
  filters: Readonly<Record<string, string>>
  change: ChangeList
  setFilter: (name: string, value: string, options?: NavigateOptions) => void
  /** '' when the default order is that of no column. */
  ownSort: string
  /** Returns whether the server can sort by this column. */
  canSort: (column: string) => boolean
  /** The query without its page: for calls about all matching rows. */
  query: Record<string, unknown>
  state: ListState
  /** Exports all matching rows. Progress is reported as a share, 0 to 1. */
  exportCsv: (onProgress: (share: number) => void) => Promise<string>
}
export interface ListState {
  isPending: boolean
  isError: boolean
  error: Error | null
  isFetching: boolean
  /** The rows are those of the previous query. */
  isPrevious: boolean
  refetch: () => void
}

/** Returns whether a search or a filter of the address limits the list. */
export const isFilteredList = <Row>({ address, filters }: Pick<List<Row>, 'address' | 'filters'>): boolean =>
  address.search !== '' || Object.keys(filters).length > 0

const none: readonly never[] = []

/** Totals are in the answer itself, or beside it when the answer is a bare list. */
const totals = z.object({ total: z.int(), isTotalCapped: z.literal(true).optional() })
const totalsOf = (from: unknown) => totals.safeParse(from).data

/** Returns the query fields that the call accepts; a typed address may contain others. */
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
  const { address: typed, filters: typedFilters, change, setFilter } = useListAddress(name, knownFilters)
  const call: CallableRoute = route
  const accepts = (fields: Record<string, unknown>) => Object.keys(acceptable(call.query, fields)).length > 0
  // What the call would refuse is not shown as set either: the list would seem to be limited by it.
  const filters = Object.fromEntries(
    Object.entries(typedFilters).filter(([filter, value]) => accepts(toQuery({ [filter]: value })))
  )
  const address: ListAddress = {
    ...typed,
    search: accepts({ search: typed.search }) ? typed.search : '',
    page: accepts({ page: typed.page }) ? typed.page : 1
  }
  const query = acceptable(call.query, { search: address.search, sort: address.sort, ...toQuery(filters) })
  const paged = { ...query, page: address.page, limit: pageSize }
  const found = useQuery({
    queryKey: [...listKeyOf(queryKey), paged],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const { data, body } = await api.callEnvelope(call, { query: paged, signal })
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- parsed by the route's own schema
      const answer = data as AnswerOf<R>
      const own = rows(answer)
      return { answer, rows: own, page: address.page, ...(totalsOf(data) ?? totalsOf(body) ?? { total: own.length }) }
    }
  })
  const { rows: shown = none, page = address.page, total = 0, isTotalCapped = false } = found.data ?? {}
  // After a deletion, or with a typed address, the page may be past the last one.
  const lastPage = Math.max(1, Math.ceil(total / pageSize))
  const hasNone = shown.length === 0
  const isPast = hasNone && total > 0 && !found.isPlaceholderData && address.page > lastPage
  const goToLast = useEffectEvent(() => change({ page: lastPage }, {}, { replace: true }))
  useEffect(() => {
    if (isPast) goToLast()
  }, [isPast])
  return {
    name,
    /** The whole answer, with the fields beside the rows. */
    answer: found.data?.answer,
    rows: shown,
    page,
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
      // That nothing matched the previous query says nothing of this one.
      isPending: found.isPending || isPast || (hasNone && found.isPlaceholderData),
      isError: found.isError,
      error: found.error,
      isFetching: found.isFetching,
      isPrevious: found.isPlaceholderData,
      refetch: () => void found.refetch()
    },
    exportCsv: (onProgress) => {
      // The header is one line more.
      const all = total + 1
      return api.csv(call, { query, onLines: (lines: number) => onProgress(Math.min(1, lines / all)) })
    }
  }
}
