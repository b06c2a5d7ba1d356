import { useOnTimes } from './api/list-on-times.ts'
import { onSince } from './on-since.ts'

/** Since when each of the person's switches that is on has been on, ms, by switch id; nothing while that is not known. */
export function useOnSince(): ReadonlyMap<string, number> | undefined {
  const { data, dataUpdatedAt } = useOnTimes()
  return data === undefined ? undefined : onSince(data, dataUpdatedAt)
}
