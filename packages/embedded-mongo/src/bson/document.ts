import {
  Binary,
  BSONRegExp,
  BSONSymbol,
  Code,
  DBRef,
  Decimal128,
  Double,
  Int32,
  Long,
  MaxKey,
  MinKey,
  ObjectId,
  Timestamp
} from 'bson'

/**
 * A document in the engine. Every BSON type is preserved, and common types are plain values: int32 and doubles with a
 * fraction are JS numbers; a double with an int32 value is a `Double`; int64 is a `Long`; the rest are bson's classes. So
 * `serialize` of bson writes the same types that were read.
 */
export interface Document {
  [field: string]: unknown
}

export const isDocument = (value: unknown): value is Document =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

/** Sets a field as data, even if its name is `__proto__`. */
export function setField(document: Document, field: string, value: unknown): void {
  if (field === '__proto__') {
    Object.defineProperty(document, field, { value, enumerable: true, configurable: true, writable: true })
  } else {
    document[field] = value
  }
}

export const getField = (document: Document, field: string): unknown =>
  Object.hasOwn(document, field) ? document[field] : undefined

export type TypeName =
  | 'double'
  | 'string'
  | 'object'
  | 'array'
  | 'binData'
  | 'objectId'
  | 'bool'
  | 'date'
  | 'null'
  | 'regex'
  | 'dbPointer'
  | 'javascript'
  | 'symbol'
  | 'int'
  | 'timestamp'
  | 'long'
  | 'decimal'
  | 'minKey'
  | 'maxKey'
  | 'missing'

const INT_MIN = -2147483648
const INT_MAX = 2147483647

/** Tells whether bson writes a JS number as int32. */
export const isInt32 = (value: number): boolean =>
  Number.isInteger(value) && value >= INT_MIN && value <= INT_MAX && !Object.is(value, -0)

/** Returns MongoDB's `$type` name of a value; `missing` for undefined. */
export function typeName(value: unknown): TypeName {
  switch (typeof value) {
    case 'string':
      return 'string'
    case 'number':
      return isInt32(value) ? 'int' : 'double'
    case 'boolean':
      return 'bool'
    case 'undefined':
      return 'missing'
    case 'bigint':
      return 'long'
    default:
  }
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (isDocument(value)) return 'object'
  if (value instanceof ObjectId) return 'objectId'
  if (value instanceof Date) return 'date'
  // Check Timestamp first, because it extends Long.
  if (value instanceof Timestamp) return 'timestamp'
  if (value instanceof Long) return 'long'
  if (value instanceof Double) return 'double'
  if (value instanceof Int32) return 'int'
  if (value instanceof Binary) return 'binData'
  if (value instanceof BSONRegExp) return 'regex'
  if (value instanceof Decimal128) return 'decimal'
  if (value instanceof BSONSymbol) return 'symbol'
  if (value instanceof Code) return 'javascript'
  if (value instanceof MinKey) return 'minKey'
  if (value instanceof MaxKey) return 'maxKey'
  if (value instanceof DBRef) return 'dbPointer'
  return 'object'
}

export const typeCodes: Readonly<Record<string, number>> = {
  double: 1,
  string: 2,
  object: 3,
  array: 4,
  binData: 5,
  objectId: 7,
  bool: 8,
  date: 9,
  null: 10,
  regex: 11,
  dbPointer: 12,
  javascript: 13,
  symbol: 14,
  int: 16,
  timestamp: 17,
  long: 18,
  decimal: 19,
  minKey: -1,
  maxKey: 127
}
