import {
  createSortedRowModel,
  rowSelectionFeature,
  rowSortingFeature,
  sortFn_alphanumeric,
  tableFeatures,
  useTable,
  type ColumnDef,
  type RowSelectionState
} from '@tanstack/react-table'
import { useDeferredValue, useEffect, useEffectEvent, useMemo, useReducer, useState } from 'react'
import { useIntl } from 'react-intl'
import { useText } from '#web/lib/i18n/use-text.ts'
import type { List } from '#web/lib/lists/use-list.ts'
import { useLater } from '#web/lib/use-later.ts'
import { createRowFilter, valueOf, type Column } from './columns.ts'

const features = tableFeatures({
  rowSelectionFeature,
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
  sortFns: { alphanumeric: sortFn_alphanumeric }
})

/** Debounce after the last key. */
const filterInAddressMs = 200

export interface Identified {
  _id: string
}

/** `isAll`: all rows that match the filter; `selected` is then not used. */
interface Selection {
  selected: RowSelectionState
  isAll: boolean
}
const none: Selection = { selected: {}, isAll: false }
const selectionOf = (ids: Iterable<string>): Selection => ({
  selected: Object.fromEntries(Array.from(ids, (id) => [id, true as const])),
  isAll: false
})
const sortName = <Row>(column: Column<Row>) => column.sort ?? column.id

/**
 * Returns the rows to show and the selection. Rows are filtered by the typed text, and sorted by the server, or here if
 * one page holds all of them.
 */
export function useDataTable<Row extends Identified>(list: List<Row>, columns: readonly Column<Row>[]) {
  const t = useText()
  const intl = useIntl()
  const { address, filters, rows, total, state } = list
  const addressText = address.filter === '' ? address.search : address.filter
  const [typed, setTyped] = useState(addressText)
  // A row's id is a press on it. Dispatching is stable between renders, so that rows need not be rendered again.
  const [{ selected, isAll }, select] = useReducer((now: Selection, next: Selection | string): Selection => {
    if (typeof next !== 'string') return next
    // Deselecting a row after "all" keeps the other rows of this page selected.
    const ids = new Set(now.isAll ? rows.map(({ _id }) => _id) : Object.keys(now.selected))
    if (!ids.delete(next)) ids.add(next)
    return selectionOf(ids)
  }, none)
  // Also after the browser's Back: otherwise "all" would become the rows of another filter.
  const asked = JSON.stringify([address.search, filters, address.page])
  const [selectedIn, setSelectedIn] = useState(asked)
  if (asked !== selectedIn) {
    setSelectedIn(asked)
    select(none)
  }
  const isWhole = total <= rows.length
  const sort = address.sort === '' ? list.ownSort : address.sort
  const sortedBy = columns.find((column) => sortName(column) === sort.replace(/^-/, ''))
  // The search text must not filter again: the server may have matched fields that no column shows.
  const filter = typed.trim() === address.search ? '' : typed
  const laterFilter = useLater(filter, filterInAddressMs)
  // Stores the filter in the address, so that it is restored on the way back from a row.
  const keepFilter = useEffectEvent((next: string) => {
    if (next !== address.filter) list.change({ filter: next }, {}, { replace: true })
  })
  useEffect(() => keepFilter(laterFilter), [laterFilter])
  // A change of the address from elsewhere, such as the browser's Back, updates the field.
  const [seen, setSeen] = useState(address)
  if (address.search !== seen.search || address.filter !== seen.filter) {
    setSeen(address)
    const isOwn = address.search === seen.search ? address.filter === laterFilter : address.search === typed.trim()
    if (!isOwn) setTyped(addressText)
  }

  // A key appears in the field before the rows are filtered.
  const filtering = useDeferredValue(filter)

  const filterRows = useMemo(() => createRowFilter(columns, t, intl), [columns, t, intl])

  // The table keeps the values of its rows, so new columns or another language need new rows.
  const { data, definitions } = useMemo(
    () => ({
      data: filterRows(rows, filtering),
      definitions: columns.map((column): ColumnDef<typeof features, Row> => ({
        id: column.id,
        accessorFn: (row) => valueOf(column, row, t),
        sortFn: 'alphanumeric',
        sortUndefined: 'last'
      }))
    }),
    [rows, filtering, filterRows, columns, t]
  )
  const table = useTable({
    features,
    columns: definitions,
    data,
    getRowId: (row) => row._id,
    manualSorting: !isWhole,
    state: {
      sorting: sortedBy === undefined ? [] : [{ id: sortedBy.id, desc: sort.startsWith('-') }],
      rowSelection: selected
    }
  })
  const shown = table.getRowModel().rows.map(({ original }) => original)
  // Only rows of this page: one of the former page may have been selected while this one was loading.
  const ids = rows.map(({ _id }) => _id).filter((id) => selected[id] === true)
  const has = (id: string): boolean => isAll || selected[id] === true
  const toggle: (id: string) => void = select
  return {
    rows: shown,
    /** Whether some of the page's rows are hidden. */
    isFiltered: shown.length < rows.length,
    typed,
    type: setTyped,
    /** Searches the server for the typed text. */
    search: () => {
      if (typed.trim() === address.search) state.refetch()
      else list.change({ search: typed.trim(), filter: '' })
    },
    sorting: {
      column: sortedBy?.id ?? null,
      isDescending: sort.startsWith('-'),
      canSort: (column: Column<Row>) => isWhole || list.canSort(sortName(column)),
      /**
       * Cycles through ascending, descending and the default order; without the last if the default is the order of
       * this column.
       */
      toggle: (column: Column<Row>) => {
        const name = sortName(column)
        const isOwn = list.ownSort.replace(/^-/, '') === name
        const next = sort === name ? `-${name}` : sort === `-${name}` && !isOwn ? '' : name
        list.change({ sort: next === list.ownSort ? '' : next, page: 1 })
      }
    },
    selection: {
      ids,
      isAll,
      count: isAll ? total : ids.length,
      has,
      toggle,
      togglePage: () => select(shown.every(({ _id }) => has(_id)) ? none : selectionOf(shown.map(({ _id }) => _id))),
      selectAll: () => select({ selected, isAll: true }),
      clear: () => select(none)
    }
  }
}
export type DataTableState<Row extends Identified> = ReturnType<typeof useDataTable<Row>>
