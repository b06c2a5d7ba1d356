import { encodeKey } from '../bson/key.ts'

/** The distinct values of a list in order of first appearance; equal numbers of two types are one. */
export const distinctValues = (values: Iterable<unknown>): unknown[] => {
  const seen = new Map<string, unknown>()
  for (const value of values) {
    const key = encodeKey(value).toString('latin1')
    if (!seen.has(key)) seen.set(key, value)
  }
  return [...seen.values()]
}
