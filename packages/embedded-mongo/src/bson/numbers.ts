import { Decimal128, Double, Int32, Long, Timestamp } from 'bson'
import { wholeOfDecimal } from './decimal.ts'
import { isInt32 } from './document.ts'

const LONG_MIN = -(2n ** 63n)
const LONG_MAX = 2n ** 63n - 1n

export type NumberKind = 'int' | 'long' | 'double' | 'decimal'

/** Returns the BSON number type of a value; null when it is no number. */
export function numberKind(value: unknown): NumberKind | null {
  if (typeof value === 'number') return isInt32(value) ? 'int' : 'double'
  if (typeof value !== 'object' || value === null) return null
  if (value instanceof Double) return 'double'
  if (value instanceof Timestamp) return null
  if (value instanceof Long) return 'long'
  if (value instanceof Int32) return 'int'
  if (value instanceof Decimal128) return 'decimal'
  return null
}

export const isNumeric = (value: unknown): boolean => numberKind(value) !== null

/** Returns the value as a JS number. A long above 2^53 loses its last digits; a non-number becomes NaN. */
export function toNumber(value: unknown): number {
  if (typeof value === 'number') return value
  if (value instanceof Double || value instanceof Int32) return value.valueOf()
  if (value instanceof Long) return value.toNumber()
  if (value instanceof Decimal128) return Number(value.toString())
  return Number.NaN
}

/** Returns the integer part of a number, and whether there is no fraction; null for NaN, infinity, and beyond 64 bits. */
export function wholePart(value: unknown): { whole: bigint; isExact: boolean } | null {
  const kind = numberKind(value)
  if (kind === null) return null
  if (value instanceof Long) return { whole: value.toBigInt(), isExact: true }
  const number = toNumber(value)
  const found =
    value instanceof Decimal128
      ? wholeOfDecimal(value)
      : Number.isFinite(number)
        ? { whole: BigInt(Math.trunc(number)), isExact: Number.isInteger(number) }
        : null
  return found !== null && found.whole >= LONG_MIN && found.whole <= LONG_MAX ? found : null
}

/** Returns a double that is written as a double even if its value is an integer. */
export const double = (value: number): number | Double => (isInt32(value) ? new Double(value) : value)

/** Returns an int or long as a bigint. */
export const toBigInt = (value: unknown): bigint => (value instanceof Long ? value.toBigInt() : BigInt(toNumber(value)))

/** Returns the int or long for an integer result of int or long arithmetic; null beyond 64 bits. */
export function wholeNumber(value: bigint, atLeastLong: boolean): unknown {
  if (!atLeastLong && value >= -2147483648n && value <= 2147483647n) return Number(value)
  if (value >= LONG_MIN && value <= LONG_MAX) return Long.fromBigInt(value)
  return null
}

export type Arithmetic = 'add' | 'subtract' | 'multiply'

const onDoubles = (op: Arithmetic, a: number, b: number): number =>
  op === 'add' ? a + b : op === 'subtract' ? a - b : a * b

const onIntegers = (op: Arithmetic, a: bigint, b: bigint): bigint =>
  op === 'add' ? a + b : op === 'subtract' ? a - b : a * b

/**
 * Computes with MongoDB's type promotion: int op int is an int, or a long on overflow; with a long it is a long; with a
 * double a double. Returns null when a long overflows or an operand is a Decimal128, which the caller must handle.
 */
export function arithmetic(op: Arithmetic, a: unknown, b: unknown): unknown {
  const kinds = [numberKind(a), numberKind(b)]
  if (kinds.includes('decimal')) return null
  if (kinds.includes('double')) return double(onDoubles(op, toNumber(a), toNumber(b)))
  if (typeof a === 'number' && typeof b === 'number') {
    const quick = onDoubles(op, a, b)
    if (isInt32(quick)) return quick
  }
  return wholeNumber(onIntegers(op, toBigInt(a), toBigInt(b)), kinds.includes('long'))
}

/** Returns an int if the value fits, else a long, for counts and sizes. */
export const integerValue = (value: number): unknown => (isInt32(value) ? value : Long.fromNumber(value))
