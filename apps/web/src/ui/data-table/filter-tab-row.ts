import type { FilterTab } from './table-tools.tsx'

/** Chips of which one is chosen; each narrows the list by the row's filter, or by one of its own. */
export interface FilterTabRow {
  label: string
  filter: string
  tabs: readonly FilterTab[]
}

const filterOf = (row: FilterTabRow, tab: FilterTab) => tab.filter ?? row.filter

/** The chip whose filter is set; that for all where none is. */
export function chosenTab(row: FilterTabRow, filters: Readonly<Record<string, string>>): FilterTab | undefined {
  return (
    row.tabs.find((tab) => tab.value !== '' && filters[filterOf(row, tab)] === tab.value) ??
    row.tabs.find((tab) => tab.value === '')
  )
}

/** The filters after a chip was pressed: its own is set, those of its neighbours are not. */
export function filtersOfTab(row: FilterTabRow, value: string): Record<string, string> {
  const none = Object.fromEntries(row.tabs.map((tab) => [filterOf(row, tab), '']))
  const chosen = row.tabs.find((tab) => tab.value === value)
  return chosen === undefined ? none : { ...none, [filterOf(row, chosen)]: value }
}
