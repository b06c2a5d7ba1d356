import { Decimal128, Double, Int32, Long, Timestamp } from 'bson'
import { wholeOfDecimal } from './decimal.ts'
import { isInt32 } from './document.ts'

const LONG_MIN = -(2n ** 63n)
const LONG_MAX = 2n ** 63n - 1n

export type NumberKind = 'int' | 'long' | 'double' | 'decimal'

/** The BSON number type of a value, or null when it is no number. */
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

/** The value as a JS number; a long above 2^53 loses its last digits, a non-number is NaN. */
export function toNumber(value: unknown): number {
  if (typeof value === 'number') return value
  if (value instanceof Double || value instanceof Int32) return value.valueOf()
  if (value instanceof Long) return value.toNumber()
  if (value instanceof Decimal128) return Number(value.toString())
  return Number.NaN
}

/** The integer part of a number, and whether that is all of it; null for NaN, infinity, and what 64 bits cannot hold. */
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

/** A double that stays a double when it is written, even when it holds an integer. */
export const double = (value: number): number | Double => (isInt32(value) ? new Double(value) : value)

const toBigInt = (value: unknown): bigint => (value instanceof Long ? value.toBigInt() : BigInt(toNumber(value)))

/** The int or long that holds an integer result of int or long arithmetic; null beyond 64 bits. */
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
 * MongoDB's promotion: int op int is an int, or a long when it overflows; with a long it is a long;
 * with a double a double. Returns null where a long overflows or a Decimal128 takes part: the caller
 * says what that means for it.
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

/** An int when it fits, else a long, for counts and sizes. */
export const integerValue = (value: number): unknown => (isInt32(value) ? value : Long.fromNumber(value))
