import { Binary, Decimal128, Double, Long, ObjectId, UUID } from 'bson'
import { isDocument, typeCodes, typeName } from '../../bson/document.ts'
import { double, isNumeric, numberKind, toNumber } from '../../bson/numbers.ts'
import { MongoError, unsupported } from '../../errors.ts'
import { isTrue } from '../../query/matcher.ts'
import { parseIsoDate, isoText } from './date-text.ts'
import type { OperatorCompiler } from './scope.ts'
import { isNullish, namedArguments, plain } from './operator-kit.ts'

const failure = (value: unknown, to: string): MongoError =>
  new MongoError(241, `Unsupported conversion from ${typeName(value)} to ${to} in $convert with no onError value`)

const unparsable = (value: string, to: string): MongoError =>
  new MongoError(
    241,
    `Failed to parse ${to === 'objectId' ? 'objectId' : 'number'} '${value}' in $convert with no onError value`
  )

const overflow = (value: number): MongoError =>
  new MongoError(241, `Conversion would overflow target type in $convert with no onError value: ${value}`)

function numberFromText(text: string): number {
  const value = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN
  if (Number.isNaN(value)) throw unparsable(text, 'number')
  return value
}

function toInteger(value: unknown, to: 'int' | 'long'): unknown {
  if (typeof value === 'boolean') return to === 'int' ? Number(value) : Long.fromNumber(Number(value))
  if (value instanceof Date && to === 'long') return Long.fromNumber(value.getTime())
  if (value instanceof Long && to === 'long') return value
  if (typeof value === 'string') {
    if (!/^[+-]?\d+$/.test(value)) throw unparsable(value, to)
    const big = BigInt(value)
    const bits = to === 'int' ? 32 : 64
    if (BigInt.asIntN(bits, big) !== big) throw unparsable(value, to)
    return to === 'int' ? Number(big) : Long.fromBigInt(big)
  }
  if (!isNumeric(value)) throw failure(value, to)
  const number = toNumber(value)
  const limit = to === 'int' ? 2 ** 31 : 2 ** 63
  if (!Number.isFinite(number))
    throw new MongoError(
      241,
      `Attempt to convert ${Number.isNaN(number) ? 'NaN' : 'infinity'} value to integer type in $convert with no onError value`
    )
  if (number >= limit || number < -limit) throw overflow(number)
  return to === 'int' ? Math.trunc(number) : Long.fromNumber(Math.trunc(number))
}

function toText(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'boolean') return String(value)
  if (value instanceof ObjectId) return value.toHexString()
  if (value instanceof Date) return isoText(value)
  if (value instanceof Long || value instanceof Decimal128) return value.toString()
  if (value instanceof Double) return String(value.value)
  if (typeof value === 'number') return String(value)
  if (value instanceof Binary && value.sub_type === 4) return value.toUUID().toHexString()
  throw failure(value, 'string')
}

function toDate(value: unknown): Date {
  if (value instanceof Date) return value
  if (value instanceof ObjectId) return value.getTimestamp()
  if (typeof value === 'string') return parseIsoDate(value)
  const kind = numberKind(value)
  if (kind !== 'long' && kind !== 'double') throw failure(value, 'date')
  const date = new Date(toNumber(toInteger(value, 'long')))
  // An invalid date would be stored as 1970.
  if (Number.isNaN(date.getTime())) throw overflow(toNumber(value))
  return date
}

/** Converts like `$convert`. The caller handles null and missing values. */
function convert(value: unknown, to: string): unknown {
  switch (to) {
    case 'bool':
      return typeof value === 'string' ? true : isTrue(value)
    case 'int':
    case 'long':
      return toInteger(value, to)
    case 'double':
      if (typeof value === 'boolean') return double(Number(value))
      if (value instanceof Date) return double(value.getTime())
      if (typeof value === 'string') return double(numberFromText(value))
      if (!isNumeric(value)) throw failure(value, to)
      return double(toNumber(value))
    case 'decimal':
      throw unsupported('conversion to Decimal128')
    case 'string':
      return toText(value)
    case 'date':
      return toDate(value)
    case 'objectId':
      if (value instanceof ObjectId) return value
      if (typeof value !== 'string') throw failure(value, to)
      if (!/^[0-9a-f]{24}$/i.test(value)) throw unparsable(value, to)
      return new ObjectId(value)
    case 'binData':
      if (typeof value === 'string' && UUID.isValid(value)) return new UUID(value)
      throw failure(value, to)
    default:
      throw new MongoError(2, `Unknown type name: ${to}`)
  }
}

const converter = (name: string, to: string): OperatorCompiler =>
  plain(name, 1, 1, ([value]) => (isNullish(value) ? null : convert(value, to)))

function typeByNameOrCode(to: unknown): string {
  if (typeof to === 'string') return to
  const found = Object.entries(typeCodes).find(([, code]) => isNumeric(to) && code === toNumber(to))
  if (!found) throw new MongoError(9, "In $convert, 'to' must be a valid type")
  return found[0]
}

/** Type expressions. */
export const types: Readonly<Record<string, OperatorCompiler>> = {
  $type: plain('$type', 1, 1, ([value]) => typeName(value)),
  $isNumber: plain('$isNumber', 1, 1, ([value]) => isNumeric(value)),
  $toBool: converter('$toBool', 'bool'),
  $toInt: converter('$toInt', 'int'),
  $toLong: converter('$toLong', 'long'),
  $toDouble: converter('$toDouble', 'double'),
  $toString: converter('$toString', 'string'),
  $toDate: converter('$toDate', 'date'),
  $toObjectId: converter('$toObjectId', 'objectId'),
  $toUUID: converter('$toUUID', 'binData'),
  $convert: (argument, compile) => {
    const given = namedArguments('$convert', ['input', 'to'], ['onError', 'onNull', 'format'], argument)
    if (Object.hasOwn(given, 'format')) throw unsupported('$convert with a format')
    const [input, onError, onNull] = ['input', 'onError', 'onNull'].map((field) => compile(given[field]))
    const target = compile(
      isDocument(given['to']) && Object.hasOwn(given['to'], 'type') ? given['to']['type'] : given['to']
    )
    return (scope) => {
      const value = input?.(scope)
      const to = target(scope)
      if (isNullish(value)) return Object.hasOwn(given, 'onNull') ? onNull?.(scope) : null
      if (isNullish(to)) return null
      try {
        return convert(value, typeByNameOrCode(to))
      } catch (error) {
        if (error instanceof MongoError && error.code === 241 && Object.hasOwn(given, 'onError'))
          return onError?.(scope)
        throw error
      }
    }
  }
}
