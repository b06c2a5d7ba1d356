import { compareValues, type TextOrder } from '../bson/compare.ts'
import { isDocument, type Document } from '../bson/document.ts'
import { EMPTY_ARRAY } from '../bson/key.ts'
import { toNumber } from '../bson/numbers.ts'
import { badValue, MongoError, unsupported } from '../errors.ts'
import { keyRows, plainRow } from './key-rows.ts'
import { plainValue, splitPath } from './path.ts'

export interface SortField {
  path: string
  direction: 1 | -1
}

/** Parses `{ field: 1 | -1, ... }`. Throws for anything else, like MongoDB. */
export function parseSort(value: unknown): SortField[] {
  if (value === undefined || value === null) return []
  if (!isDocument(value)) throw new MongoError(14, 'Expected field sort to be of type object')
  return Object.entries(value).map(([path, direction]) => {
    if (isDocument(direction)) throw unsupported('sorting by $meta')
    if (path === '') throw new MongoError(40353, "FieldPath must not end with a '.'.")
    if (path === '$natural') return { path, direction: toNumber(direction) < 0 ? -1 : 1 }
    const number = toNumber(direction)
    if (number !== 1 && number !== -1) {
      throw new MongoError(15975, '$sort key ordering must be 1 (for ascending) or -1 (for descending)')
    }
    return { path, direction: number }
  })
}

function orderOf(value: unknown, other: unknown, text: TextOrder): number {
  if (value === EMPTY_ARRAY)
    return other === EMPTY_ARRAY ? 0 : compareValues(undefined, other) === 0 ? -1 : below(other)
  if (other === EMPTY_ARRAY) return -orderOf(other, value, text)
  return compareValues(value, other, text)
}

/** Orders an empty array, which sorts like undefined: below null, above only MinKey. */
const below = (other: unknown): number => (compareValues(other, null) < 0 ? 1 : -1)

const parallelArrays = (): MongoError =>
  badValue('Executor error :: caused by :: cannot sort with keys that are parallel arrays')

/** Compares two rows of sort values. */
function compareRows(
  a: readonly unknown[],
  b: readonly unknown[],
  fields: readonly SortField[],
  text: TextOrder
): number {
  for (const [i, { direction }] of fields.entries()) {
    const order = orderOf(a[i], b[i], text)
    if (order !== 0) return order * direction
  }
  return 0
}

/** Returns a function that reads the sort values of a document; of arrays the row of elements that sorts first. */
export function createSortRow(fields: readonly SortField[], text: TextOrder): (document: Document) => unknown[] {
  const paths = fields.map(({ path }) => splitPath(path))
  return (document) => {
    const plain = plainRow(document, paths)
    if (plain) return plain
    const { rows } = keyRows(document, paths, parallelArrays)
    return rows.reduce((best, row) => (compareRows(row, best, fields, text) < 0 ? row : best))
  }
}

/** Sorts documents stably. Reads the sort values of each document once. */
export function sortDocuments<T>(
  items: readonly T[],
  fields: readonly SortField[],
  text: TextOrder,
  documentOf: (item: T) => Document
): T[] {
  const rowOf = createSortRow(fields, text)
  return items
    .map((item) => ({ item, row: rowOf(documentOf(item)) }))
    .toSorted((a, b) => compareRows(a.row, b.row, fields, text))
    .map(({ item }) => item)
}

/** Sorts elements of an array by their fields. An array in a field counts as one value; a missing field as null. */
export function sortElements<T>(items: readonly T[], fields: readonly SortField[], text: TextOrder): T[] {
  return items
    .map((item) => ({
      item,
      row: fields.map(({ path }) => (isDocument(item) ? (plainValue(item, path) ?? null) : null))
    }))
    .toSorted((a, b) => compareRows(a.row, b.row, fields, text))
    .map(({ item }) => item)
}

export function requireSort(value: unknown): SortField[] {
  const sort = parseSort(value)
  if (sort.length === 0) throw badValue('$sort stage must have at least one sort key')
  return sort
}
