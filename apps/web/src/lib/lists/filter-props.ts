import type { List } from './use-list.ts'

export type FilteredList = Pick<List<unknown>, 'filters' | 'setFilter'>

/** Returns the props of a chip that sets a filter; '' means no filter. A correction is no step of the browser's Back. */
export const filterProps = ({ filters, setFilter }: FilteredList, name: string) => ({
  value: filters[name] ?? '',
  onChange: (value: string, isCorrection = false) => setFilter(name, value, { replace: isCorrection })
})
