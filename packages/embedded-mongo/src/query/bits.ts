import { Binary, Long } from 'bson'
import { isNumeric, toNumber } from '../bson/numbers.ts'
import { badValue, failedToParse } from '../errors.ts'

/** The mask of `$bitsAllSet` and its kin: a number, a list of positions, or binary (least byte first). */
export function parseBits(operator: string, value: unknown): bigint {
  if (Array.isArray(value)) {
    return value.reduce((mask: bigint, position: unknown) => {
      const bit = toNumber(position)
      if (!Number.isInteger(bit) || bit < 0) {
        throw badValue(`bit positions must be >= 0 integers but got: ${String(position)}`)
      }
      return mask | (1n << BigInt(Math.min(bit, 63)))
    }, 0n)
  }
  if (value instanceof Binary) return fromBytes(value.value())
  if (value instanceof Long) return positive(operator, value.toBigInt())
  if (isNumeric(value) && Number.isInteger(toNumber(value))) return positive(operator, BigInt(toNumber(value)))
  throw badValue(`${operator} takes an Array, a number, or a BinData but received: ${String(value)}`)
}

function positive(operator: string, mask: bigint): bigint {
  if (mask < 0n) throw failedToParse(`Expected a non-negative number in: ${operator}: ${mask}`)
  return mask
}

const fromBytes = (bytes: Uint8Array): bigint => bytes.reduceRight((mask, byte) => (mask << 8n) | BigInt(byte), 0n)

/** The bits of a stored value, or null when it has none: fractions, texts and numbers outside int64. */
export function bitsOf(value: unknown): bigint | null {
  if (value instanceof Binary) return fromBytes(value.value())
  if (value instanceof Long) return BigInt.asUintN(64, value.toBigInt())
  if (!isNumeric(value)) return null
  const number = toNumber(value)
  return Number.isInteger(number) && Math.abs(number) < 2 ** 63 ? BigInt.asUintN(64, BigInt(number)) : null
}

export function bitsMatch(bits: bigint, mask: bigint, want: 'allSet' | 'allClear' | 'anySet' | 'anyClear'): boolean {
  const common = bits & mask
  if (want === 'allSet') return common === mask
  if (want === 'allClear') return common === 0n
  if (want === 'anySet') return common !== 0n
  return common !== mask
}
