import { compareValues, type TextOrder } from '../bson/compare.ts'
import { isDocument, type Document } from '../bson/document.ts'
import { EMPTY_ARRAY } from '../bson/key.ts'
import { toNumber } from '../bson/numbers.ts'
import { badValue, MongoError, unsupported } from '../errors.ts'
import { somePathValue, splitPath } from './path.ts'

export type SortField = { path: string; direction: 1 | -1 }

/** Reads `{ field: 1 | -1, ... }`; anything else is BadValue, as in MongoDB. */
export const parseSort = (value: unknown): SortField[] => {
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

const orderOf = (value: unknown, other: unknown, text: TextOrder): number => {
  if (value === EMPTY_ARRAY)
    return other === EMPTY_ARRAY ? 0 : compareValues(undefined, other) === 0 ? -1 : below(other)
  if (other === EMPTY_ARRAY) return -orderOf(other, value, text)
  return compareValues(value, other, text)
}

/** An empty array sorts as undefined: below null, above MinKey only. */
const below = (other: unknown): number => (compareValues(other, null) < 0 ? 1 : -1)

/** The value a document sorts by: the least element of an array upwards, the greatest downwards. */
export const sortValue = (document: Document, path: string, direction: 1 | -1, text: TextOrder): unknown => {
  let best: unknown
  let any = false
  somePathValue(document, splitPath(path), 'whole', (value) => {
    const candidates = Array.isArray(value) ? (value.length === 0 ? [EMPTY_ARRAY] : value) : [value]
    for (const candidate of candidates) {
      if (!any || orderOf(candidate, best, text) * direction < 0) best = candidate
      any = true
    }
    return false
  })
  return any ? best : null
}

/** Sorts documents stably. Sort values are taken once per document. */
export const sortDocuments = <T>(
  items: readonly T[],
  fields: readonly SortField[],
  text: TextOrder,
  documentOf: (item: T) => Document
): T[] => {
  const keyed = items.map((item) => {
    const document = documentOf(item)
    return { item, keys: fields.map((field) => sortValue(document, field.path, field.direction, text)) }
  })
  keyed.sort((a, b) => {
    for (const [i, field] of fields.entries()) {
      const order = orderOf(a.keys[i], b.keys[i], text)
      if (order !== 0) return order * field.direction
    }
    return 0
  })
  return keyed.map(({ item }) => item)
}

export const requireSort = (value: unknown): SortField[] => {
  const sort = parseSort(value)
  if (sort.length === 0) throw badValue('$sort stage must have at least one sort key')
  return sort
}
