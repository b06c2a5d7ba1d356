/** How a list is shown: all of it stands in the page's address, so that it can be shared and the back button works. */
export interface ListAddress {
  /** From 1. */
  page: number
  /** What the server was asked to search for. */
  search: string
  /** What the rows that are here are filtered by; the server is not asked for it. */
  filter: string
  /** A column; a leading minus turns the order round. '' for the list's own order. */
  sort: string
  /** Columns in their order; null for the list's own choice. */
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

/** The address after a change. What is as it was from the start is left out; another search or filter begins at page 1. */
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

/** The filters of the address that this list knows. */
export function readFilters(params: URLSearchParams, known: readonly string[]): Record<string, string> {
  const found: Record<string, string> = {}
  for (const name of known) {
    const value = params.get(name)
    if (value !== null && value !== '') found[name] = value
  }
  return found
}

/** What of an address is kept for the next visit: how the list looks, not what is looked for. */
export function rememberedPart(params: URLSearchParams): string {
  return new URLSearchParams([...params].filter(([name]) => name === 'columns' || name === 'density')).toString()
}
