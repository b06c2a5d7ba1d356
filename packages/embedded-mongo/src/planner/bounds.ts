import type { BSONRegExp } from 'bson'
import { typeName } from '../bson/document.ts'
import { EMPTY_ARRAY, encodeKey, invert, rankOfType, type Fold } from '../bson/key.ts'
import { isNumeric, toNumber } from '../bson/numbers.ts'
import type { Leaf } from '../query/filter.ts'
import { regexPrefix } from '../query/regex.ts'

/** An interval of one field's values between two ordered keys, ascending. */
export interface Interval {
  low: Buffer
  lowInside: boolean
  high: Buffer
  highInside: boolean
}

/** A predicate on a field as intervals, and whether these express all of it. */
export interface Bounds {
  intervals: Interval[]
  /** Every interval is a single value. */
  points: boolean
  /** Whether all documents in the intervals match; `scalar`: only as long as the index contains no array. */
  exact: 'always' | 'scalar' | 'never'
  /** No document without the field can match, so a sparse index may be used. */
  needsField: boolean
}

/** A half-open range of index keys: `from <= key < to`. */
export interface KeyRange {
  from: Buffer
  to: Buffer
}

/** A key above all others: no value starts with these bytes. */
const TOP = Buffer.alloc(64, 0xff)

const point = (key: Buffer): Interval => ({ low: key, lowInside: true, high: key, highInside: true })

const ofRank = (rank: number): Interval => ({
  low: Buffer.from([rank]),
  lowInside: true,
  high: Buffer.from([rank + 1]),
  highInside: false
})

/** Returns the smallest key after all keys that start with `key`. */
function successor(key: Buffer): Buffer {
  for (let end = key.length; end > 0; end--) {
    const last = key[end - 1] ?? 0
    if (last === 0xff) continue
    const next = Buffer.from(key.subarray(0, end))
    next[end - 1] = last + 1
    return next
  }
  return TOP
}

function equalityBounds(value: unknown, fold: Fold | null): Bounds {
  if (value === null || value === undefined) {
    return { intervals: [point(encodeKey(null))], points: true, exact: 'scalar', needsField: false }
  }
  const whole = point(encodeKey(value, fold))
  if (!Array.isArray(value))
    return { intervals: [whole], points: true, exact: fold ? 'never' : 'always', needsField: true }
  // A document with this array is indexed by its elements; one that contains it as an element, by the whole array.
  const first = point(value.length === 0 ? encodeKey(EMPTY_ARRAY) : encodeKey(value[0], fold))
  return { intervals: [first, whole], points: true, exact: 'never', needsField: true }
}

function rangeBounds(op: 'gt' | 'gte' | 'lt' | 'lte', value: unknown): Bounds | null {
  const type = typeName(value)
  // Whole arrays, MinKey and MaxKey have comparison rules of their own; null supports only equality.
  if (['array', 'minKey', 'maxKey', 'object', 'missing', 'regex'].includes(type)) return null
  if (value === null) return op === 'gte' || op === 'lte' ? equalityBounds(null, null) : null
  if (isNumeric(value) && Number.isNaN(toNumber(value))) return null
  const key = encodeKey(value)
  const kin = ofRank(rankOfType[type])
  const interval: Interval =
    op === 'gt' || op === 'gte'
      ? { ...kin, low: key, lowInside: op === 'gte' }
      : { ...kin, high: key, highInside: op === 'lte' }
  // NaN sorts as the least number, but is not less than any number.
  if (rankOfType[type] === rankOfType.int && (op === 'lt' || op === 'lte')) {
    interval.low = encodeKey(Number.NaN)
    interval.lowInside = false
  }
  return { intervals: [interval], points: false, exact: 'always', needsField: true }
}

function regexBounds(source: BSONRegExp): Bounds | null {
  const found = regexPrefix(source)
  if (!found) return null
  const start = Buffer.concat([Buffer.from([rankOfType.string]), Buffer.from(found.prefix, 'utf8')])
  const texts: Interval = { low: start, lowInside: true, high: successor(start), highInside: false }
  return {
    intervals: [texts, point(encodeKey(source))],
    points: false,
    exact: found.exact ? 'always' : 'never',
    needsField: true
  }
}

/** Returns the intervals of a predicate; null when an index cannot be used. `fold` is the index's collation. */
export function leafBounds(leaf: Leaf, fold: Fold | null): Bounds | null {
  switch (leaf.op) {
    case 'eq':
      return equalityBounds(leaf.value, fold)
    case 'in': {
      if (leaf.patterns.length > 0) return null
      const each = leaf.values.map((value) => equalityBounds(value, fold))
      return {
        intervals: each.flatMap(({ intervals }) => intervals),
        points: true,
        exact: each.some(({ exact }) => exact === 'never')
          ? 'never'
          : each.some(({ exact }) => exact === 'scalar')
            ? 'scalar'
            : 'always',
        needsField: each.every(({ needsField }) => needsField)
      }
    }
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return fold && typeof leaf.value === 'string' ? null : rangeBounds(leaf.op, leaf.value)
    case 'regex':
      return fold ? null : regexBounds(leaf.source)
    case 'exists':
      return leaf.value
        ? {
            intervals: [
              { low: Buffer.from([0]), lowInside: true, high: Buffer.from([rankOfType.maxKey]), highInside: true }
            ],
            points: false,
            exact: 'never',
            needsField: true
          }
        : { ...equalityBounds(null, null), exact: 'never' }
    case 'all': {
      const [first] = leaf.each
      const bounds = first ? leafBounds(first, fold) : null
      return bounds && { ...bounds, exact: leaf.each.length === 1 ? bounds.exact : 'never' }
    }
    case 'elemMatchValue': {
      const all = leaf.leaves.map((part) => leafBounds(part, fold))
      const known = all.filter((bounds) => bounds !== null)
      const joined = known.reduce<Bounds | null>((sum, bounds) => (sum ? intersect(sum, bounds) : bounds), null)
      return joined && { ...joined, exact: 'never', needsField: true }
    }
    default:
      return null
  }
}

/** Intersects two bounds. Valid only if no document has an array there, or within one element. */
export function intersect(a: Bounds, b: Bounds): Bounds {
  const intervals: Interval[] = []
  for (const x of a.intervals) {
    for (const y of b.intervals) {
      const both = overlap(x, y)
      if (both) intervals.push(both)
    }
  }
  return {
    intervals,
    points: a.points || b.points,
    exact:
      a.exact === 'never' || b.exact === 'never'
        ? 'never'
        : a.exact === 'scalar' || b.exact === 'scalar'
          ? 'scalar'
          : 'always',
    needsField: a.needsField || b.needsField
  }
}

function overlap(x: Interval, y: Interval): Interval | null {
  const lows = Buffer.compare(x.low, y.low)
  const highs = Buffer.compare(x.high, y.high)
  const low = lows >= 0 ? x.low : y.low
  const high = highs <= 0 ? x.high : y.high
  const lowInside = lows > 0 ? x.lowInside : lows < 0 ? y.lowInside : x.lowInside && y.lowInside
  const highInside = highs < 0 ? x.highInside : highs > 0 ? y.highInside : x.highInside && y.highInside
  const order = Buffer.compare(low, high)
  return order > 0 || (order === 0 && !(lowInside && highInside)) ? null : { low, lowInside, high, highInside }
}

/** Returns the range of keys that start with `prefix` and whose next field is in the interval. */
export function keyRange(prefix: Buffer, interval: Interval, direction: 1 | -1): KeyRange {
  const join = (key: Buffer): Buffer => {
    const bytes = Buffer.from(key)
    if (direction === -1) invert(bytes)
    return Buffer.concat([prefix, bytes])
  }
  const low = join(interval.low)
  const high = join(interval.high)
  return direction === 1
    ? { from: interval.lowInside ? low : successor(low), to: interval.highInside ? successor(high) : high }
    : { from: interval.highInside ? high : successor(high), to: interval.lowInside ? successor(low) : low }
}

export const prefixRange = (prefix: Buffer): KeyRange => ({
  from: prefix,
  to: prefix.length === 0 ? TOP : successor(prefix)
})

/** Sorts ranges and merges overlapping ones. */
export function mergeRanges(ranges: readonly KeyRange[]): KeyRange[] {
  const sorted = ranges
    .filter(({ from, to }) => Buffer.compare(from, to) < 0)
    .toSorted((a, b) => Buffer.compare(a.from, b.from))
  const merged: KeyRange[] = []
  for (const range of sorted) {
    const last = merged.at(-1)
    if (last && Buffer.compare(range.from, last.to) <= 0) {
      if (Buffer.compare(range.to, last.to) > 0) last.to = range.to
    } else merged.push({ ...range })
  }
  return merged
}
