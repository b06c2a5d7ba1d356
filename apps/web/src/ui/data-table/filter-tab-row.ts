import type { FilterTab } from './table-tools.tsx'

/** Exclusive chips; each filters the list by the row's filter, or by one of its own. */
export interface FilterTabRow {
  label: string
  filter: string
  tabs: readonly FilterTab[]
}

const filterOf = (row: FilterTabRow, tab: FilterTab) => tab.filter ?? row.filter

/** Returns the chip whose filter is set; without one, the chip for all. */
export function chosenTab(row: FilterTabRow, filters: Readonly<Record<string, string>>): FilterTab | undefined {
  return (
    row.tabs.find((tab) => tab.value !== '' && filters[filterOf(row, tab)] === tab.value) ??
    row.tabs.find((tab) => tab.value === '')
  )
}

/** Returns the filters after a press on a chip: its own is set, the others of the row are cleared. */
export function filtersOfTab(row: FilterTabRow, value: string): Record<string, string> {
  const none = Object.fromEntries(row.tabs.map((tab) => [filterOf(row, tab), '']))
  const chosen = row.tabs.find((tab) => tab.value === value)
  return chosen === undefined ? none : { ...none, [filterOf(row, chosen)]: value }
}
