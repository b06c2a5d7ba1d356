import {
  columnFilteringFeature,
  createFilteredRowModel,
  createSortedRowModel,
  globalFilteringFeature,
  rowSelectionFeature,
  rowSortingFeature,
  sortFn_alphanumeric,
  tableFeatures,
  useTable,
  type ColumnDef,
  type RowSelectionState
} from '@tanstack/react-table'
import { useEffect, useEffectEvent, useMemo, useState } from 'react'
import type { List } from '#web/lib/lists/use-list.ts'
import { useLater } from '#web/lib/use-later.ts'
import { matchesText, valueOf, type CellValue, type Column } from './columns.ts'

const features = tableFeatures({
  columnFilteringFeature,
  globalFilteringFeature,
  rowSelectionFeature,
  rowSortingFeature,
  filteredRowModel: createFilteredRowModel(),
  sortedRowModel: createSortedRowModel(),
  sortFns: { alphanumeric: sortFn_alphanumeric }
})

/** After the last key. */
const filterInAddressMs = 200

export interface Identified {
  _id: string
}

const selectionOf = (ids: readonly string[]): RowSelectionState =>
  Object.fromEntries(ids.map((id) => [id, true as const]))
const sortName = <Row>(column: Column<Row>) => column.sort ?? column.id

/**
 * The rows of a list as they are shown: filtered by what is typed, sorted by the server, or here where one page holds
 * all of them; and which are selected.
 */
export function useDataTable<Row extends Identified>(list: List<Row>, columns: readonly Column<Row>[]) {
  const { address, rows, total, state } = list
  const addressText = address.filter === '' ? address.search : address.filter
  const [typed, setTyped] = useState(addressText)
  const [selection, setSelection] = useState<RowSelectionState>({})
  const [isAll, setAll] = useState(false)
  const isWhole = total <= rows.length
  const sort = address.sort === '' ? list.ownSort : address.sort
  const sortedBy = columns.find((column) => sortName(column) === sort.replace(/^-/, ''))
  // What the server has found by other fields than the columns show would be hidden by its own search text.
  const filter = typed.trim() === address.search ? '' : typed
  const laterFilter = useLater(filter, filterInAddressMs)
  // It is there again when somebody comes back from a row.
  const keepFilter = useEffectEvent((next: string) => {
    if (next !== address.filter) list.change({ filter: next }, {}, { replace: true })
  })
  useEffect(() => keepFilter(laterFilter), [laterFilter])
  // An address that comes otherwise than from this field, as by the browser's Back, is shown in it.
  const [seen, setSeen] = useState(address)
  if (address.search !== seen.search || address.filter !== seen.filter) {
    setSeen(address)
    const isOwn = address.search === seen.search ? address.filter === laterFilter : address.search === typed.trim()
    if (!isOwn) setTyped(addressText)
  }

  const definitions = useMemo(
    () =>
      columns.map((column): ColumnDef<typeof features, Row> => ({
        id: column.id,
        accessorFn: (row) => valueOf(column, row),
        sortFn: 'alphanumeric',
        sortUndefined: 'last'
      })),
    [columns]
  )
  const data = useMemo(() => [...rows], [rows])
  const table = useTable({
    features,
    columns: definitions,
    data,
    getRowId: (row) => row._id,
    manualSorting: !isWhole,
    state: {
      globalFilter: filter,
      sorting: sortedBy === undefined ? [] : [{ id: sortedBy.id, desc: sort.startsWith('-') }],
      rowSelection: selection
    },
    getColumnCanGlobalFilter: () => true,
    globalFilterFn: (row, id, needle: string) => matchesText(row.getValue<CellValue>(id), needle),
    onRowSelectionChange: setSelection
  })
  const shown = table.getRowModel().rows.map(({ original }) => original)
  const ids = Object.keys(selection).filter((id) => selection[id])

  function clear() {
    setSelection({})
    setAll(false)
  }
  return {
    rows: shown,
    /** Some of the page's rows are not shown. */
    isFiltered: shown.length < rows.length,
    typed,
    type: setTyped,
    /** Asks the server for what is typed. */
    search: () => {
      clear()
      if (typed.trim() === address.search) state.refetch()
      else list.change({ search: typed.trim(), filter: '' })
    },
    sorting: {
      column: sortedBy?.id ?? null,
      isDescending: sort.startsWith('-'),
      canSort: (column: Column<Row>) => isWhole || list.canSort(sortName(column)),
      /** Ascending, descending, the list's own order; only the first two where that is the order of this very column. */
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
      has: (id: string) => isAll || selection[id] === true,
      toggle: (id: string) => {
        // A row that is taken out of "all" leaves the others of this page.
        const from = new Set(isAll ? rows.map(({ _id }) => _id) : ids)
        if (!from.delete(id)) from.add(id)
        setAll(false)
        setSelection(selectionOf([...from]))
      },
      togglePage: () => {
        const isFull = shown.length > 0 && shown.every(({ _id }) => isAll || selection[_id] === true)
        setAll(false)
        setSelection(isFull ? {} : selectionOf(shown.map(({ _id }) => _id)))
      },
      selectAll: () => setAll(true),
      clear
    }
  }
}
export type DataTableState<Row extends Identified> = ReturnType<typeof useDataTable<Row>>
