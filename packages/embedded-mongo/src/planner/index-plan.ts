import type { Filter, Leaf } from '../query/filter.ts'
import { sameCollation, type Collation } from '../query/collation.ts'
import { isIndex, topOf } from '../query/path.ts'
import type { SortField } from '../query/sort.ts'
import type { Index } from '../storage/indexes/index-spec.ts'
import {
  intersect,
  keyRange,
  leafBounds,
  mergeRanges,
  prefixRange,
  type Bounds,
  type Interval,
  type KeyRange
} from './bounds.ts'
import { implies } from './implies.ts'
import type { Plan, PlanRequest } from './plan.ts'

/** If there are more points than this, documents are filtered instead of looked up one by one. */
const MAX_RANGES = 10_000

/** Two long lists on one field are not intersected: one of them uses the index, the other one filters. */
const MAX_MEETINGS = 1_000_000

/** Returns the predicates that must all hold, by path. */
export function conjuncts(filter: Filter, prefix = ''): { path: string; leaf: Leaf }[] {
  if (filter.kind === 'and') return filter.parts.flatMap((part) => conjuncts(part, prefix))
  if (filter.kind !== 'field') return []
  // A position inside an element that is a list is not a position in the outer array.
  if (prefix !== '' && isIndex(topOf(filter.path))) return []
  const path = prefix + filter.path
  const own = { path, leaf: filter.leaf }
  return filter.leaf.op === 'elemMatch' ? [own, ...conjuncts(filter.leaf.filter, `${path}.`)] : [own]
}

function isWholeFilter(filter: Filter, used: number): boolean {
  const count = (part: Filter): number =>
    part.kind === 'and'
      ? part.parts.reduce((sum, inner) => sum + count(inner), 0)
      : part.kind === 'field' && part.leaf.op !== 'elemMatch'
        ? 1
        : Infinity
  return count(filter) === used
}

function usesText(leaf: Leaf): boolean {
  const texts = (value: unknown): boolean => typeof value === 'string' || (typeof value === 'object' && value !== null)
  if (leaf.op === 'eq' || leaf.op === 'gt' || leaf.op === 'gte' || leaf.op === 'lt' || leaf.op === 'lte')
    return texts(leaf.value)
  if (leaf.op === 'in') return leaf.values.some(texts)
  return true
}

interface FieldBounds {
  bounds: Bounds
  used: number
}

function boundsOfField(
  index: Index,
  path: string,
  predicates: readonly { path: string; leaf: Leaf }[],
  collation: Collation | null
): FieldBounds | null {
  const alike = sameCollation(index.collation, collation)
  const fold = index.collation?.fold ?? null
  const multikey = index.multikey.has(topOf(path))
  let sum: FieldBounds | null = null
  for (const predicate of predicates) {
    if (predicate.path !== path || (!alike && usesText(predicate.leaf))) continue
    const bounds = leafBounds(predicate.leaf, fold)
    if (!bounds) continue
    // A number may also be a field name. In an array every document lacks it and matches, but the index has only the position.
    if (!bounds.needsField && path.split('.').some(isIndex)) continue
    if (!sum) sum = { bounds, used: 1 }
    else if (!multikey && sum.bounds.intervals.length * bounds.intervals.length <= MAX_MEETINGS)
      sum = { bounds: intersect(sum.bounds, bounds), used: sum.used + 1 }
    // Two predicates may match two different elements, so an index with arrays can be used for only one of them.
    else if (bounds.points && !sum.bounds.points) sum = { bounds, used: 1 }
  }
  return sum
}

type IndexPlan = Extract<Plan, { kind: 'index' }>
export interface Candidate {
  plan: IndexPlan
  score: number
  bounded: boolean
}

/** Tells whether a partial index with `filter` contains all documents that the query can find. */
const serves = (
  filter: Filter,
  index: Index,
  predicates: readonly { path: string; leaf: Leaf }[],
  collation: Collation | null
): boolean => implies(predicates, filter) && (sameCollation(index.collation, collation) || !hasText(filter))

const hasText = (filter: Filter): boolean =>
  filter.kind === 'field' ? usesText(filter.leaf) : 'parts' in filter && filter.parts.some(hasText)

/** What the predicates of a query bound in one index, field by field until one is not bound to points. */
interface BoundFields {
  /** The keys that the bounded fields allow: as ranges if the last of them is one, otherwise as prefixes. */
  prefixes: Buffer[]
  ranges: KeyRange[] | null
  /** How many predicates these bounds contain. */
  used: number
  score: number
  /** The bounds admit only documents that match; `scalar`: unless the index has arrays. */
  exact: boolean
  scalarOnly: boolean
  needsField: boolean
  /** Of each field of the index, for `explain`. */
  shown: (Interval[] | null)[]
  /** The leading fields that are bound to one point each. */
  equalityFields: number
  /** A field is bound to several points. */
  multiPoint: boolean
}

function boundFields(
  index: Index,
  predicates: readonly { path: string; leaf: Leaf }[],
  collation: Collation | null
): BoundFields {
  const bound: BoundFields = {
    prefixes: [Buffer.alloc(0)],
    ranges: null,
    used: 0,
    score: 0,
    exact: true,
    scalarOnly: false,
    needsField: false,
    shown: index.fields.map(() => null),
    equalityFields: 0,
    multiPoint: false
  }
  const arraysUsed = new Set<string>()
  for (const [at, field] of index.fields.entries()) {
    const top = field.parts[0] ?? ''
    if (index.multikey.has(top) && arraysUsed.has(top)) break
    const found = boundsOfField(index, field.path, predicates, collation)
    if (!found) break
    if (index.multikey.has(top)) arraysUsed.add(top)
    const { bounds } = found
    const next = bounds.intervals
    if (next.length * bound.prefixes.length > MAX_RANGES) break
    bound.needsField ||= bounds.needsField
    bound.used += found.used
    bound.shown[at] = next
    // The index contains the elements of an array at a position, into which a query does not look.
    if (bounds.exact === 'never' || field.parts.some(isIndex)) bound.exact = false
    if (bounds.exact === 'scalar') bound.scalarOnly = true
    if (!bounds.points) {
      bound.score += 5
      bound.ranges = bound.prefixes.flatMap((prefix) =>
        next.map((interval) => keyRange(prefix, interval, field.direction))
      )
      break
    }
    bound.score += next.length === 1 ? 10 : 9
    if (next.length === 1 && !bound.multiPoint) bound.equalityFields = at + 1
    else bound.multiPoint = true
    bound.prefixes = bound.prefixes.flatMap((prefix) =>
      next.map((interval) => Buffer.concat([prefix, directed(interval.low, field.direction)]))
    )
  }
  return bound
}

/**
 * Plans a query with one index; null when it cannot be used. As in MongoDB, a hint for a partial or sparse index finds only
 * documents in that index, even if the query matches others.
 */
export function planIndex(
  index: Index,
  request: PlanRequest,
  predicates: readonly { path: string; leaf: Leaf }[],
  isHinted = false
): Candidate | null {
  if (index.partial && !isHinted && !serves(index.partial, index, predicates, request.collation)) return null
  // An index with a collation that cannot be encoded in keys is unusable.
  if (index.collation && index.collation.fold === null) return null
  const bound = boundFields(index, predicates, request.collation)
  const { prefixes, ranges, used, shown, equalityFields } = bound
  if (index.sparse && !isHinted && !bound.needsField) return null
  const all = mergeRanges(ranges ?? prefixes.map(prefixRange))
  const sorted = sortDirection(index, request, shown, equalityFields)
  const pointFields = shown.findIndex(
    (intervals) => intervals === null || intervals.some(({ low, high }) => !low.equals(high))
  )
  const merge =
    sorted === null && bound.multiPoint && ranges === null && prefixes.length <= 200 && all.length === prefixes.length
      ? sortDirection(index, request, shown, pointFields === -1 ? index.fields.length : pointFields)
      : null
  const direction = sorted ?? merge ?? 1
  return {
    bounded: used > 0,
    score:
      bound.score +
      (sorted !== null && request.sort.length > 0 ? 3 : merge === null ? 0 : 2) -
      index.fields.length / 100,
    plan: {
      kind: 'index',
      index,
      ranges: all,
      direction,
      providesSort: sorted !== null || merge !== null,
      merge: merge === null ? null : all.map((range) => range.from.length),
      exact: bound.exact && (!bound.scalarOnly || index.multikey.size === 0) && isWholeFilter(request.filter, used),
      single: index.unique && equalityFields === index.fields.length,
      bounds: shown
    }
  }
}

function directed(key: Buffer, direction: 1 | -1): Buffer {
  if (direction === 1) return key
  return Buffer.from(key.map((byte) => ~byte & 0xff))
}

/**
 * Returns the direction in which the index provides the sort after its first `skip` fields, which are bound to points, or null. Only
 * a field with a single point has no part in the sort.
 */
function sortDirection(
  index: Index,
  { sort, collation }: PlanRequest,
  bounds: BoundFields['shown'],
  skip: number
): 1 | -1 | null {
  if (sort.length === 0) return 1
  if (index.collation || collation) return null
  const fixed = new Set(index.fields.slice(0, skip).flatMap(({ path }, at) => (bounds[at]?.length === 1 ? path : [])))
  const wanted = sort.filter(({ path }) => !fixed.has(path))
  const fields = index.fields.slice(skip)
  if (wanted.length > fields.length || sort.some(({ path }) => index.multikey.has(topOf(path)))) return null
  let direction: 1 | -1 | null = null
  for (const [i, { path, direction: asked }] of wanted.entries()) {
    const field = fields[i]
    if (field?.path !== path) return null
    const needed = field.direction === asked ? 1 : -1
    if (direction !== null && direction !== needed) return null
    direction = needed
  }
  return direction ?? 1
}

/** A cheap check before bounds are computed: an index is useful by its first field or for the sort. */
export const mayServe = (index: Index, predicates: readonly { path: string }[], sort: readonly SortField[]): boolean =>
  sort.length > 0 || predicates.some(({ path }) => path === index.fields[0]?.path)
