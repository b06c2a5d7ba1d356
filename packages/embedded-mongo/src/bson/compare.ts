import { Binary, BSONRegExp, Long, ObjectId, Timestamp } from 'bson'
import { typeName, type Document } from './document.ts'
import { encodeKey, rankOfType } from './key.ts'
import { numberKind, toNumber } from './numbers.ts'

/** Compares two strings by their UTF-8 bytes. JavaScript compares UTF-16 units, which differs above U+FFFF. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i)
    const y = b.charCodeAt(i)
    if (x === y) continue
    // A surrogate is part of a code point above all single units.
    const high = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit)
    return high(x) - high(y)
  }
  return a.length - b.length
}

/** A comparison of strings: binary unless a query has a collation. */
export type TextOrder = (a: string, b: string) => number

const sign = (difference: number): number => (difference < 0 ? -1 : difference > 0 ? 1 : 0)

function compareNumbers(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') {
    if (a === b) return 0
    if (Number.isNaN(a)) return Number.isNaN(b) ? 0 : -1
    if (Number.isNaN(b)) return 1
    return a < b ? -1 : 1
  }
  const kinds = [numberKind(a), numberKind(b)]
  if (!kinds.includes('decimal') && !kinds.includes('long')) return compareNumbers(toNumber(a), toNumber(b))
  if (a instanceof Long && b instanceof Long) return a.compare(b)
  return Buffer.compare(encodeKey(a), encodeKey(b))
}

/** Compares two values in MongoDB's order: -1, 0 or 1. A missing value (undefined) sorts like null. */
export function compareValues(a: unknown, b: unknown, text: TextOrder = compareText): number {
  if (typeof a === 'string' && typeof b === 'string') return sign(text(a, b))
  if (typeof a === 'number' && typeof b === 'number') return compareNumbers(a, b)
  const typeA = typeName(a)
  const typeB = typeName(b)
  const byRank = rankOfType[typeA] - rankOfType[typeB]
  if (byRank !== 0) return byRank < 0 ? -1 : 1
  switch (typeA) {
    case 'int':
    case 'long':
    case 'double':
    case 'decimal':
      return compareNumbers(a, b)
    case 'null':
    case 'missing':
    case 'minKey':
    case 'maxKey':
      return 0
    case 'bool':
      return Number(a) - Number(b)
    case 'object':
      return compareDocuments(a as Document, b as Document, text)
    case 'array':
      return compareArrays(a as unknown[], b as unknown[], text)
    default:
      return compareRest(a, b, text)
  }
}

function compareRest(a: unknown, b: unknown, text: TextOrder): number {
  if (a instanceof ObjectId && b instanceof ObjectId) return Buffer.compare(a.id, b.id)
  if (a instanceof Date && b instanceof Date) return sign(a.getTime() - b.getTime())
  if (a instanceof Timestamp && b instanceof Timestamp) return a.compare(b)
  if (a instanceof Binary && b instanceof Binary) {
    return sign(a.length() - b.length()) || sign(a.sub_type - b.sub_type) || Buffer.compare(a.value(), b.value())
  }
  if (a instanceof BSONRegExp && b instanceof BSONRegExp) {
    return sign(compareText(a.pattern, b.pattern)) || sign(compareText(a.options, b.options))
  }
  const symbolText = (value: unknown): string => (typeof value === 'string' ? value : String(value))
  if (typeName(a) === 'symbol' || typeName(b) === 'symbol') return sign(text(symbolText(a), symbolText(b)))
  return Buffer.compare(encodeKey(a), encodeKey(b))
}

/** Compares field by field: first the type of the value, then the field's name, then the value. */
function compareDocuments(a: Document, b: Document, text: TextOrder): number {
  const fieldsA = Object.keys(a)
  const fieldsB = Object.keys(b)
  const length = Math.min(fieldsA.length, fieldsB.length)
  for (let i = 0; i < length; i++) {
    const nameA = fieldsA[i] ?? ''
    const nameB = fieldsB[i] ?? ''
    const order =
      sign(rankOfType[typeName(a[nameA])] - rankOfType[typeName(b[nameB])]) ||
      sign(compareText(nameA, nameB)) ||
      compareValues(a[nameA], b[nameB], text)
    if (order !== 0) return order
  }
  return sign(fieldsA.length - fieldsB.length)
}

function compareArrays(a: readonly unknown[], b: readonly unknown[], text: TextOrder): number {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const order = compareValues(a[i], b[i], text)
    if (order !== 0) return order
  }
  return sign(a.length - b.length)
}

export const equalValues = (a: unknown, b: unknown, text: TextOrder): boolean =>
  a === b || compareValues(a, b, text) === 0

/** Tells whether values are equal, including the types of numbers. This decides whether a write changes anything. */
export function identicalValues(a: unknown, b: unknown): boolean {
  if (a === b) return a !== 0 || Object.is(a, b)
  const type = typeName(a)
  if (type !== typeName(b)) return false
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((element, i) => identicalValues(element, b[i]))
  }
  if (type === 'object') {
    const x = a as Document
    const y = b as Document
    const fields = Object.keys(x)
    const others = Object.keys(y)
    return (
      fields.length === others.length &&
      fields.every((field, i) => field === others[i] && identicalValues(x[field], y[field]))
    )
  }
  if (type === 'double' && Number.isNaN(toNumber(a))) return Number.isNaN(toNumber(b))
  return compareValues(a, b) === 0
}
