import { getField, isDocument, type Document } from '../bson/document.ts'
import { EMPTY_ARRAY } from '../bson/key.ts'
import { MongoError } from '../errors.ts'
import { isIndex } from './path.ts'

/** The position of one field's path in a document. */
interface Cursor {
  value: unknown
  rest: readonly string[]
  /** The path has already entered an array, so that nested arrays count as values. */
  entered: boolean
}

export interface KeyRows {
  /** The values of the fields, one row per element of an array on their paths; undefined for missing ones. */
  rows: unknown[][]
  /** For each field, whether its path entered an array. */
  entered: boolean[]
}

/** Returns the values of the fields in the usual case without arrays on their paths; else null. */
export function plainRow(document: Document, fields: readonly (readonly string[])[]): unknown[] | null {
  const values: unknown[] = []
  for (const parts of fields) {
    let value: unknown = document
    for (const part of parts) {
      if (Array.isArray(value)) return null
      value = isDocument(value) ? getField(value, part) : undefined
    }
    if (Array.isArray(value)) return null
    values.push(value)
  }
  return values
}

/**
 * Splits a document into rows of values, like the keys of an index or a sort in MongoDB. An array is traversed once for all
 * fields whose paths go through it, so that values of the same element stay together. `refuse` makes the error for two
 * parallel arrays.
 */
export function keyRows(
  document: Document,
  fields: readonly (readonly string[])[],
  refuse: (names: readonly string[]) => MongoError
): KeyRows {
  const plain = plainRow(document, fields)
  if (plain) return { rows: [plain], entered: fields.map(() => false) }
  const cursors = fields.map((parts) => descend({ value: document, rest: parts, entered: false }))
  const rows: unknown[][] = []
  expand(cursors, rows, (open) => refuse(fields.filter((_, i) => open[i]).map((parts) => parts.at(-1) ?? '')))
  return { rows, entered: cursors.map(mustEnter) }
}

/** Follows a path through objects and array positions, up to its end or to an array that must be entered. */
function descend(cursor: Cursor): Cursor {
  let { value, rest, entered } = cursor
  while (rest.length > 0) {
    const part = rest[0] ?? ''
    if (Array.isArray(value)) {
      if (!isIndex(part) || Number(part) >= value.length) return { value, rest, entered }
      checkAmbiguous(value, part)
      value = value[Number(part)]
    } else if (isDocument(value)) value = getField(value, part)
    else return { value: undefined, rest: [], entered: true }
    rest = rest.slice(1)
    entered = false
  }
  return { value, rest, entered }
}

function checkAmbiguous(array: readonly unknown[], part: string): void {
  if (!array.some((element) => isDocument(element) && Object.hasOwn(element, part))) return
  throw new MongoError(
    16746,
    `Ambiguous field name found in array (do not use numeric field names in embedded elements in an array), field: '${part}'`
  )
}

const mustEnter = (cursor: Cursor): boolean => Array.isArray(cursor.value) && !cursor.entered

/** Returns the value of a path; undefined if it ends at an array that it may not enter. */
const finalValue = (cursor: Cursor): unknown => (cursor.rest.length > 0 ? undefined : cursor.value)

function expand(cursors: readonly Cursor[], rows: unknown[][], refuse: (open: boolean[]) => MongoError): void {
  const open = cursors.map(mustEnter)
  const arrays = cursors.filter((_, i) => open[i])
  const [first] = arrays
  if (!first || !Array.isArray(first.value)) {
    rows.push(cursors.map(finalValue))
    return
  }
  const array: unknown[] = first.value
  if (arrays.some((cursor) => cursor.value !== array)) throw refuse(open)
  for (const element of array.length === 0 ? [EMPTY_ARRAY] : array) {
    const next = cursors.map((cursor, i): Cursor => {
      if (!open[i]) return cursor
      if (cursor.rest.length === 0) return { value: element, rest: [], entered: true }
      if (!isDocument(element)) return { value: undefined, rest: [], entered: true }
      return descend({ value: element, rest: cursor.rest, entered: false })
    })
    expand(next, rows, refuse)
  }
}
