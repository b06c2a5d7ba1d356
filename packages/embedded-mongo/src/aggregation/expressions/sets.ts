import { compareText, type TextOrder } from '../../bson/compare.ts'
import { encodeKey, type Fold } from '../../bson/key.ts'

/**
 * Returns a function that replaces a text with the first equal text that it has seen. Null for the binary order, in which
 * only identical texts are equal.
 */
function foldOfOrder(text: TextOrder): Fold | null {
  if (text === compareText) return null
  const known = new Map<string, string>()
  const ordered: string[] = []
  return (value) => {
    const before = known.get(value)
    if (before !== undefined) return before
    let [low, high] = [0, ordered.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (text(ordered[middle] ?? '', value) < 0) low = middle + 1
      else high = middle
    }
    const equal = ordered[low]
    if (equal !== undefined && text(equal, value) === 0) {
      known.set(value, equal)
      return equal
    }
    ordered.splice(low, 0, value)
    known.set(value, value)
    return value
  }
}

/**
 * Returns a function that gives equal values the same name: numbers by value regardless of their types, texts by the
 * collation. A missing value equals null.
 */
export function createNames(text: TextOrder): (value: unknown) => string {
  const fold = foldOfOrder(text)
  return (value) => encodeKey(value, fold).toString('latin1')
}

/** Returns the distinct values in order of first appearance. Equal numbers of different types count as one. */
export function distinctValues(values: Iterable<unknown>, text: TextOrder): unknown[] {
  const nameOf = createNames(text)
  const seen = new Map<string, unknown>()
  for (const value of values) {
    const name = nameOf(value)
    if (!seen.has(name)) seen.set(name, value)
  }
  return [...seen.values()]
}
