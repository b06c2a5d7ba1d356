import type { Decimal128 } from 'bson'

/** Sign, digits and exponent of a Decimal128: value = sign * coefficient * 10^exponent. */
interface Parts {
  negative: boolean
  coefficient: bigint
  exponent: number
}

function parse(text: string): Parts {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:E([+-]?\d+))?$/i.exec(text)
  const [, sign = '', whole = '0', fraction = '', exponent = '0'] = match ?? []
  return {
    negative: sign === '-',
    coefficient: BigInt(whole + fraction),
    exponent: Number(exponent) - fraction.length
  }
}

/** Returns the integer part of a decimal; null for NaN, infinity, and values beyond 64 bits. */
export function wholeOfDecimal(decimal: Decimal128): { whole: bigint; isExact: boolean } | null {
  const text = decimal.toString()
  if (/[a-z]/i.test(text.replace(/E/i, ''))) return null
  const { negative, coefficient, exponent } = parse(text)
  if (exponent > 18 && coefficient !== 0n) return null
  const divisor = 10n ** BigInt(Math.max(-exponent, 0))
  const magnitude = exponent > 0 ? coefficient * 10n ** BigInt(Math.min(exponent, 18)) : coefficient / divisor
  return { whole: negative ? -magnitude : magnitude, isExact: exponent > 0 || magnitude * divisor === coefficient }
}

const POWERS = new BigInt64Array(1)
const AS_DOUBLE = new Float64Array(POWERS.buffer)

/** Returns the next double above a finite non-negative one. */
function nextUp(value: number): number {
  AS_DOUBLE[0] = value
  POWERS[0] = (POWERS[0] ?? 0n) + 1n
  return AS_DOUBLE[0] ?? value
}
function nextDown(value: number): number {
  if (value === 0) return 0
  AS_DOUBLE[0] = value
  POWERS[0] = (POWERS[0] ?? 0n) - 1n
  return AS_DOUBLE[0] ?? value
}

/** Returns a finite double as an exact fraction numerator / 2^shift. */
function exact(value: number): { numerator: bigint; shift: bigint } {
  AS_DOUBLE[0] = value
  const bits = BigInt.asUintN(64, POWERS[0] ?? 0n)
  const raised = Number((bits >> 52n) & 0x7ffn)
  const mantissa = bits & 0xfffffffffffffn
  const significand = raised === 0 ? mantissa : mantissa | 0x10000000000000n
  const exponent = BigInt((raised === 0 ? 1 : raised) - 1075)
  return exponent >= 0n
    ? { numerator: significand << exponent, shift: 0n }
    : { numerator: significand, shift: -exponent }
}

/** Combines a coefficient of 34 digits (113 bits) and the exponent (13 bits) to a number in the order of the values. */
function aboveDoubles(coefficient: bigint, exponent: number): bigint {
  const missing = 34 - String(coefficient).length
  return (BigInt(exponent - missing) << 113n) | (coefficient * 10n ** BigInt(missing))
}

/**
 * Splits the magnitude of a Decimal128 into the largest double that is not above it, and its distance from that (in 2^-128
 * parts of the gap to the next double). Decimals and doubles compare by this pair exactly as by value in MongoDB.
 */
export function decimalMagnitude(decimal: Decimal128): { negative: boolean; floor: number; fraction: bigint } {
  const { negative, coefficient, exponent } = parse(decimal.toString())
  const up = exponent >= 0 ? coefficient * 10n ** BigInt(exponent) : coefficient
  const down = exponent >= 0 ? 1n : 10n ** BigInt(-exponent)
  // numerator/2^shift <= up/down, compared without division
  const atMost = (value: number): boolean => {
    const { numerator, shift } = exact(value)
    return numerator * down <= up << shift
  }
  let floor = Math.min(Math.abs(Number(decimal.toString())), Number.MAX_VALUE)
  if (!atMost(floor)) floor = nextDown(floor)
  const low = exact(floor)
  const above = (up << low.shift) - low.numerator * down
  if (above === 0n) return { negative, floor, fraction: 0n }
  if (floor === Number.MAX_VALUE) return { negative, floor, fraction: aboveDoubles(coefficient, exponent) }
  const high = exact(nextUp(floor))
  const gap = (high.numerator << low.shift) - (low.numerator << high.shift)
  const scaled = (above << (128n + high.shift)) / (down * gap)
  const most = (1n << 128n) - 1n
  return { negative, floor, fraction: scaled < 1n ? 1n : scaled > most ? most : scaled }
}
