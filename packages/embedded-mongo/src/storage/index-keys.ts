import { getField, isDocument, type Document } from '../bson/document.ts'
import { EMPTY_ARRAY, encodeCompoundKey } from '../bson/key.ts'
import { MongoError } from '../errors.ts'
import { isIndex } from '../query/path.ts'
import type { Index } from './index-spec.ts'

/** Where one field of an index stands while a document is taken apart. */
type Cursor = {
  value: unknown
  rest: readonly string[]
  /** Entered an array already: nested ones are values. */ entered: boolean
}

export type DocumentKeys = {
  /** Ordered keys, distinct. */
  keys: Buffer[]
  /** First path parts under which an array was found. */
  arrays: string[]
}

const NONE: DocumentKeys = { keys: [], arrays: [] }

/** Walks down plain objects; stops at the end of the path or at an array that has to be entered. */
const descend = (cursor: Cursor): Cursor => {
  let { value, rest, entered } = cursor
  while (rest.length > 0) {
    if (Array.isArray(value)) {
      const part = rest[0] ?? ''
      if (!isIndex(part)) return { value, rest, entered }
      value = value[Number(part)]
    } else if (isDocument(value)) value = getField(value, rest[0] ?? '')
    else return { value: undefined, rest: [], entered: true }
    rest = rest.slice(1)
    entered = false
  }
  return { value, rest, entered }
}

const mustEnter = (cursor: Cursor): boolean => Array.isArray(cursor.value) && !cursor.entered

/** The values of the fields where no array is on the way, as is usual; null where one is. Makes no cursors. */
const plainValues = (document: Document, index: Index): unknown[] | null => {
  const values: unknown[] = []
  for (const { parts } of index.fields) {
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
 * The keys of a document in an index, as MongoDB generates them: one per array element, null for
 * what is missing, nothing for what a sparse index skips. Two arrays side by side are
 * CannotIndexParallelArrays.
 */
export const indexKeys = (document: Document, index: Index): DocumentKeys => {
  const fold = index.collation?.fold ?? null
  const values = plainValues(document, index)
  if (values) {
    if (index.sparse && values.every((value) => value === undefined)) return NONE
    return { keys: [encodeCompoundKey(values, index.directions, fold)], arrays: [] }
  }
  const cursors = index.fields.map((field) => descend({ value: document, rest: field.parts, entered: false }))
  if (index.sparse && cursors.every((cursor) => cursor.value === undefined)) return NONE
  if (!cursors.some(mustEnter)) {
    return { keys: [encodeCompoundKey(cursors.map(finalValue), index.directions, fold)], arrays: [] }
  }
  const rows: unknown[][] = []
  expand(cursors, index, rows)
  const distinct = new Map<string, Buffer>()
  for (const row of rows) {
    const key = encodeCompoundKey(row, index.directions, fold)
    distinct.set(key.toString('latin1'), key)
  }
  const arrays = index.fields.filter((_, i) => cursors[i] && mustEnter(cursors[i])).map((field) => field.parts[0] ?? '')
  return { keys: [...distinct.values()], arrays }
}

/** A path that ends inside an array it may not enter names nothing. */
const finalValue = (cursor: Cursor): unknown => (cursor.rest.length > 0 ? undefined : cursor.value)

function expand(cursors: Cursor[], index: Index, rows: unknown[][]): void {
  const arrays = cursors.filter(mustEnter)
  const [first] = arrays
  if (!first) {
    rows.push(cursors.map(finalValue))
    return
  }
  const array = first.value as unknown[]
  const other = arrays.findIndex((cursor) => cursor.value !== array)
  if (other !== -1) {
    const names = index.fields.filter((_, i) => cursors[i] && mustEnter(cursors[i])).map(({ parts }) => parts.at(-1))
    throw new MongoError(171, `cannot index parallel arrays [${names[1] ?? ''}] [${names[0] ?? ''}]`)
  }
  const elements: unknown[] = array.length === 0 ? [EMPTY_ARRAY] : array
  for (const element of elements) {
    const next = cursors.map((cursor): Cursor => {
      if (cursor.value !== array || !mustEnter(cursor)) return cursor
      if (cursor.rest.length === 0) return { value: element, rest: [], entered: true }
      if (!isDocument(element)) return { value: undefined, rest: [], entered: true }
      return descend({ value: element, rest: cursor.rest, entered: false })
    })
    expand(next, index, rows)
  }
}
