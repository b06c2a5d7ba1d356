import { useMemo } from 'react'
import { useOnTimes } from './api/list-on-times.ts'
import { onSince } from './on-since.ts'

/** Returns since when each of the person's switches has been on, in ms, by switch id; undefined while unknown. */
export function useOnSince(): ReadonlyMap<string, number> | undefined {
  const { data } = useOnTimes()
  return useMemo(() => data && onSince(data), [data])
}
