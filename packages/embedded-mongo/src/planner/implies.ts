import { compareValues } from '../bson/compare.ts'
import { typeName } from '../bson/document.ts'
import { rankOfType } from '../bson/key.ts'
import { isNumeric, toNumber } from '../bson/numbers.ts'
import type { Comparison, Filter, Leaf } from '../query/filter.ts'

interface Predicate {
  path: string
  leaf: Leaf
}

const alike = (a: unknown, b: unknown): boolean => rankOfType[typeName(a)] === rankOfType[typeName(b)]

const isNotANumber = (value: unknown): boolean => isNumeric(value) && Number.isNaN(toNumber(value))

/** Tells whether every value that matches `given` also matches `wanted`. When in doubt it returns false: no index is used. */
function leafImplies(given: Leaf, wanted: Leaf, path: string): boolean {
  if (wanted.op === 'exists') {
    if (given.op === 'exists') return given.value
    if (given.op === 'eq') return given.value !== null && given.value !== undefined
    if (given.op === 'in') return given.patterns.length === 0 && given.values.every((value) => value !== null)
    if (given.op === 'not') {
      const [first, ...more] = given.leaves
      // An array without documents has no field below it, and none that is null.
      return more.length === 0 && first?.op === 'eq' && first.value === null && !path.includes('.')
    }
    // A missing field is also between MinKey and MaxKey.
    if (isRange(given)) return !['null', 'minKey', 'maxKey'].includes(typeName(given.value))
    return ['regex', 'type', 'size', 'mod'].includes(given.op)
  }
  if (given.op === 'in') {
    return (
      given.patterns.length === 0 &&
      given.values.length > 0 &&
      given.values.every((value) => leafImplies({ op: 'eq', value }, wanted, path))
    )
  }
  switch (wanted.op) {
    case 'eq':
      return given.op === 'eq' && compareValues(given.value, wanted.value) === 0
    case 'in':
      return given.op === 'eq' && wanted.values.some((value) => compareValues(value, given.value) === 0)
    case 'type':
      return (
        // A query for null also finds documents without the field, which has no type there.
        (given.op === 'eq' &&
          given.value !== null &&
          !Array.isArray(given.value) &&
          typeMeets(given.value, wanted.types)) ||
        (given.op === 'type' && given.types.every((type) => wanted.types.includes(type))) ||
        (isRange(given) && typeof given.value === 'string' && wanted.types.includes('string'))
      )
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return rangeImplies(given, wanted.op, wanted.value)
    default:
      return false
  }
}

/** An equal number may be of any type of number. */
const typeMeets = (value: unknown, types: readonly string[]): boolean =>
  types.includes(isNumeric(value) ? 'number' : typeName(value))

const isRange = (leaf: Leaf): leaf is { op: Comparison; value: unknown } => ['gt', 'gte', 'lt', 'lte'].includes(leaf.op)

function rangeImplies(given: Leaf, op: 'gt' | 'gte' | 'lt' | 'lte', limit: unknown): boolean {
  if (given.op !== 'eq' && !isRange(given)) return false
  if (!alike(given.value, limit) || Array.isArray(given.value)) return false
  // NaN sorts below all numbers, but is in no range of them.
  if (isNotANumber(given.value) || isNotANumber(limit)) return false
  const order = compareValues(given.value, limit)
  const upward = op === 'gt' || op === 'gte'
  if (given.op === 'eq')
    return op === 'gt' ? order > 0 : op === 'gte' ? order >= 0 : op === 'lt' ? order < 0 : order <= 0
  if (upward !== (given.op === 'gt' || given.op === 'gte')) return false
  const beyond = upward ? order > 0 : order < 0
  return beyond || (order === 0 && (op === 'gte' || op === 'lte' || given.op === op))
}

/** Tells whether all documents that the query can find are in an index with the partial filter `wanted`. */
export function implies(predicates: readonly Predicate[], wanted: Filter): boolean {
  if (wanted.kind === 'and') return wanted.parts.every((part) => implies(predicates, part))
  if (wanted.kind === 'or') return wanted.parts.some((part) => implies(predicates, part))
  if (wanted.kind !== 'field') return false
  return predicates.some(({ path, leaf }) => path === wanted.path && leafImplies(leaf, wanted.leaf, path))
}
