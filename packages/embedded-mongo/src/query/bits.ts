import { Binary } from 'bson'
import { isNumeric, wholePart } from '../bson/numbers.ts'
import { shellText } from '../bson/shell-text.ts'
import { badValue, failedToParse } from '../errors.ts'

export type BitsWanted = 'allSet' | 'allClear' | 'anySet' | 'anyClear'

/** Returns the bit positions of `$bitsAllSet` and similar: from a number, a list, or binary (least significant byte first). */
export function parseBits(operator: string, value: unknown): number[] {
  if (Array.isArray(value)) return value.map(positionOf)
  if (value instanceof Binary) {
    const bytes = value.value()
    return positionsOf(bytes.length * 8, (position) => isSetInBytes(bytes, position))
  }
  if (!isNumeric(value)) {
    throw badValue(`${operator} takes an Array, a number, or a BinData but received: ${shellText(value)}`)
  }
  const mask = wholePart(value)
  if (mask?.isExact !== true) {
    throw failedToParse(`Cannot represent as a 64-bit integer: ${operator}: ${shellText(value)}`)
  }
  if (mask.whole < 0n) throw failedToParse(`Expected a non-negative number in: ${operator}: ${mask.whole}`)
  return positionsOf(64, (position) => isSetInNumber(mask.whole, position))
}

function positionOf(value: unknown): number {
  const position = wholePart(value)
  if (position?.isExact !== true || position.whole < 0n || position.whole > 0x7fffffffn) {
    throw badValue(`bit positions must be >= 0 integers of 32 bits but got: ${shellText(value)}`)
  }
  return Number(position.whole)
}

const positionsOf = (count: number, isSet: (position: number) => boolean): number[] =>
  Array.from({ length: count }, (_, position) => position).filter(isSet)

const isSetInBytes = (bytes: Uint8Array, position: number): boolean =>
  (((bytes[position >> 3] ?? 0) >> (position & 7)) & 1) === 1

/** Above bit 63 a number is sign-extended. */
const isSetInNumber = (whole: bigint, position: number): boolean =>
  ((whole >> BigInt(Math.min(position, 63))) & 1n) === 1n

/** Returns a test of the bits of a stored value; null for values without bits: fractions, texts and beyond int64. */
export function bitsOf(value: unknown): ((position: number) => boolean) | null {
  if (value instanceof Binary) {
    const bytes = value.value()
    return (position) => isSetInBytes(bytes, position)
  }
  const number = wholePart(value)
  return number?.isExact === true ? (position) => isSetInNumber(number.whole, position) : null
}

export function bitsMatch(
  isSet: (position: number) => boolean,
  positions: readonly number[],
  want: BitsWanted
): boolean {
  if (want === 'allSet') return positions.every(isSet)
  if (want === 'anySet') return positions.some(isSet)
  if (want === 'allClear') return !positions.some(isSet)
  return !positions.every(isSet)
}
