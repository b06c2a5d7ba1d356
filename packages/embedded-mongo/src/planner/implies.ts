import { compareValues } from '../bson/compare.ts'
import { typeName } from '../bson/document.ts'
import { rankOfType } from '../bson/key.ts'
import { isNumeric, toNumber } from '../bson/numbers.ts'
import type { Filter, Leaf } from '../query/filter.ts'

interface Predicate {
  path: string
  leaf: Leaf
}

const alike = (a: unknown, b: unknown): boolean => rankOfType[typeName(a)] === rankOfType[typeName(b)]

const isNotANumber = (value: unknown): boolean => isNumeric(value) && Number.isNaN(toNumber(value))

/** Tells whether every value that matches `given` also matches `wanted`. When in doubt it returns false: no index is used. */
function leafImplies(given: Leaf, wanted: Leaf): boolean {
  if (wanted.op === 'exists') {
    if (given.op === 'exists') return given.value
    if (given.op === 'eq') return given.value !== null && given.value !== undefined
    if (given.op === 'in') return given.patterns.length === 0 && given.values.every((value) => value !== null)
    if (given.op === 'not')
      return given.leaves.length === 1 && given.leaves[0]?.op === 'eq' && given.leaves[0].value === null
    return (
      ['gt', 'lt', 'regex', 'type', 'size', 'mod'].includes(given.op) ||
      ((given.op === 'gte' || given.op === 'lte') && given.value !== null)
    )
  }
  if (given.op === 'in') {
    return (
      given.patterns.length === 0 &&
      given.values.length > 0 &&
      given.values.every((value) => leafImplies({ op: 'eq', value }, wanted))
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
        (given.op === 'regex' && wanted.types.includes('string')) ||
        ((given.op === 'gt' || given.op === 'gte' || given.op === 'lt' || given.op === 'lte') &&
          typeof given.value === 'string' &&
          wanted.types.includes('string'))
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

const typeMeets = (value: unknown, types: readonly string[]): boolean =>
  types.includes(typeName(value)) || (types.includes('number') && rankOfType[typeName(value)] === rankOfType.int)

function rangeImplies(given: Leaf, op: 'gt' | 'gte' | 'lt' | 'lte', limit: unknown): boolean {
  if (given.op !== 'eq' && given.op !== 'gt' && given.op !== 'gte' && given.op !== 'lt' && given.op !== 'lte')
    return false
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
  return predicates.some(({ path, leaf }) => path === wanted.path && leafImplies(leaf, wanted.leaf))
}
