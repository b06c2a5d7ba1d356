import type { List } from './use-list.ts'

export type FilteredList = Pick<List<unknown>, 'filters' | 'setFilter'>

/** What a chip takes of the filter that it sets: '' for none. */
export const filterProps = ({ filters, setFilter }: FilteredList, name: string) => ({
  value: filters[name] ?? '',
  onChange: (value: string) => setFilter(name, value)
})
