/** The view of a list. All of it is in the page's address, so that it can be shared and the back button works. */
export interface ListAddress {
  /** Counted from 1. */
  page: number
  /** The search text sent to the server. */
  search: string
  /** The text that filters the loaded rows, without asking the server. */
  filter: string
  /** A column; a leading minus means descending. '' is the list's own order. */
  sort: string
  /** Columns in their order; null for the default ones. */
  columns: readonly string[] | null
  density: Density
}
export type Density = 'compact' | 'comfortable'

export function readListAddress(params: URLSearchParams, remembered: URLSearchParams): ListAddress {
  const page = Number(params.get('page') ?? 1)
  const columns = params.get('columns') ?? remembered.get('columns')
  return {
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
    search: params.get('search') ?? '',
    filter: params.get('filter') ?? '',
    sort: params.get('sort') ?? '',
    columns: columns === null || columns === '' ? null : columns.split(','),
    density: (params.get('density') ?? remembered.get('density')) === 'comfortable' ? 'comfortable' : 'compact'
  }
}

/** Returns the address after a change. Default values are left out; another search or filter starts at page 1. */
export function changeListAddress(
  params: URLSearchParams,
  changes: Partial<ListAddress>,
  filters: Readonly<Record<string, string>> = {}
): URLSearchParams {
  const next = new URLSearchParams(params)
  const set = (name: string, value: string) => (value === '' ? next.delete(name) : next.set(name, value))
  if (changes.page === undefined && (changes.search !== undefined || Object.keys(filters).length > 0)) set('page', '')
  if (changes.page !== undefined) set('page', changes.page === 1 ? '' : String(changes.page))
  if (changes.search !== undefined) set('search', changes.search)
  if (changes.filter !== undefined) set('filter', changes.filter)
  if (changes.sort !== undefined) set('sort', changes.sort)
  if (changes.columns !== undefined) set('columns', changes.columns?.join(',') ?? '')
  if (changes.density !== undefined) set('density', changes.density)
  for (const [name, value] of Object.entries(filters)) set(name, value)
  return next
}

/** Returns the address's filters that this list knows. */
export function readFilters(params: URLSearchParams, known: readonly string[]): Record<string, string> {
  const found: Record<string, string> = {}
  for (const name of known) {
    const value = params.get(name)
    if (value !== null && value !== '') found[name] = value
  }
  return found
}

/** Returns the part of an address that is stored for the next visit: the look of the list, not what is searched. */
export function rememberedPart(params: URLSearchParams): string {
  return new URLSearchParams([...params].filter(([name]) => name === 'columns' || name === 'density')).toString()
}
