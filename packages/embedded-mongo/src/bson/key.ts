import { Binary, BSONRegExp, BSONSymbol, Code, DBRef, Decimal128, Double, Long, ObjectId, Timestamp } from 'bson'
import { decimalMagnitude } from './decimal.ts'
import { typeName, type TypeName } from './document.ts'
import { finishKey, takeWriter, type KeyWriter } from './key-writer.ts'
import { toNumber } from './numbers.ts'

/**
 * Ordered keys: bytes whose memcmp order is MongoDB's order of BSON values
 * (https://www.mongodb.com/docs/manual/reference/bson-type-comparison-order/), so that a SQLite BLOB column can be an
 * index. Each value is self-delimiting. A compound key is a concatenation; a descending field has inverted bytes.
 */
export const rankOfType: Readonly<Record<TypeName | 'undefined', number>> = {
  minKey: 0x01,
  undefined: 0x05,
  missing: 0x0a,
  null: 0x0a,
  int: 0x14,
  long: 0x14,
  double: 0x14,
  decimal: 0x14,
  symbol: 0x1e,
  string: 0x1e,
  object: 0x28,
  array: 0x32,
  binData: 0x3c,
  objectId: 0x46,
  bool: 0x50,
  date: 0x5a,
  timestamp: 0x5f,
  regex: 0x64,
  dbPointer: 0x6e,
  javascript: 0x78,
  maxKey: 0xff
}

/** The index key of an empty array, below null, so that `{ tags: [] }` has its own key. */
export const EMPTY_ARRAY = Symbol('the key of an empty array')

/** Converts a string to the text by which a collation orders or compares it. */
export type Fold = (text: string) => string

/** Writes a number as the largest double that is not above it, and its distance from that when it is between two doubles. */
function writeNumber(out: KeyWriter, value: unknown): void {
  if (typeof value === 'number') return exactDouble(out, value)
  if (value instanceof Double) return exactDouble(out, value.value)
  if (value instanceof Long) {
    const near = value.toNumber()
    if (Number.isSafeInteger(near)) return exactDouble(out, near)
    return writeLong(out, value.toBigInt(), near)
  }
  if (value instanceof Decimal128) {
    const plain = toNumber(value)
    if (!Number.isFinite(plain) && /inf|nan/i.test(value.toString())) return exactDouble(out, plain)
    const { negative, floor, fraction } = decimalMagnitude(value)
    return between(out, negative, floor, fraction)
  }
  return exactDouble(out, toNumber(value))
}

function exactDouble(out: KeyWriter, value: number): void {
  out.double(value)
  out.byte(0x40)
}

function writeLong(out: KeyWriter, value: bigint, near: number): void {
  const negative = value < 0n
  const magnitude = negative ? -value : value
  let floor = Math.abs(near)
  const view = new DataView(new ArrayBuffer(8))
  const step = (by: bigint): number => {
    view.setFloat64(0, floor)
    view.setBigUint64(0, view.getBigUint64(0) + by)
    return view.getFloat64(0)
  }
  if (BigInt(floor) > magnitude) floor = step(-1n)
  const low = BigInt(floor)
  const gap = BigInt(step(1n)) - low
  between(out, negative, floor, ((magnitude - low) << 128n) / gap)
}

/** Writes a number that is above a positive floor by `fraction` / 2^128 of the gap, or below a negative one. */
function between(out: KeyWriter, negative: boolean, floor: number, fraction: bigint): void {
  if (fraction === 0n) return exactDouble(out, negative ? -floor : floor)
  // -0 keeps the sign of a tiny negative decimal. The key of zero itself is +0 with marker 0x40.
  out.double(negative ? -floor : floor)
  out.byte(negative ? 0x20 : 0x60)
  const ordered = negative ? (1n << 128n) - 1n - fraction : fraction
  out.uint64(ordered >> 64n)
  out.uint64(ordered & 0xffffffffffffffffn)
}

const rankOf = (value: unknown): number => (value === EMPTY_ARRAY ? rankOfType.undefined : rankOfType[typeName(value)])

function writeBody(out: KeyWriter, value: unknown, fold: Fold | null): void {
  if (typeof value === 'string') return out.text(fold ? fold(value) : value)
  if (typeof value === 'number') return exactDouble(out, value)
  if (value === null || value === undefined || value === EMPTY_ARRAY) return
  if (typeof value === 'boolean') return out.byte(value ? 1 : 0)
  if (value instanceof ObjectId) return out.objectId(value)
  if (value instanceof Date) return out.date(value)
  if (Array.isArray(value)) return writeArray(out, value, fold)
  if (value instanceof Timestamp) {
    out.uint32(value.t)
    return out.uint32(value.i)
  }
  if (value instanceof Binary) {
    out.uint32(value.length())
    out.byte(value.sub_type)
    return out.bytes(value.value())
  }
  if (value instanceof BSONSymbol) return out.text(fold ? fold(value.value) : value.value)
  if (value instanceof BSONRegExp) {
    out.text(value.pattern)
    return out.text(value.options)
  }
  if (value instanceof Code) {
    out.text(value.code)
    return value.scope ? writeObject(out, value.scope, fold) : out.byte(0)
  }
  if (value instanceof DBRef) {
    out.text(value.collection)
    return out.objectId(value.oid)
  }
  if (value instanceof Double || value instanceof Long || value instanceof Decimal128) return writeNumber(out, value)
  if (typeName(value) === 'object') return writeObject(out, value, fold)
  if (typeName(value) === 'int') return writeNumber(out, value)
}

function writeArray(out: KeyWriter, array: readonly unknown[], fold: Fold | null): void {
  for (const element of array) {
    out.byte(rankOf(element))
    writeBody(out, element, fold)
  }
  out.byte(0)
}

/** Writes an object in the order of comparison: per field first the type of the value, then the name, then the value. */
function writeObject(out: KeyWriter, object: object, fold: Fold | null): void {
  for (const [name, value] of Object.entries(object)) {
    if (value === undefined) continue
    out.byte(rankOf(value))
    out.text(name)
    writeBody(out, value, fold)
  }
  out.byte(0)
}

/** Returns the ordered key of one value. `fold` is the collation of the index or the query. */
export function encodeKey(value: unknown, fold: Fold | null = null): Buffer {
  const out = takeWriter()
  out.byte(rankOf(value))
  writeBody(out, value, fold)
  return finishKey(out)
}

/** Returns the ordered key of several values; `directions[i] === -1` inverts the i-th. */
export function encodeCompoundKey(
  values: readonly unknown[],
  directions: readonly (1 | -1)[],
  fold: Fold | null = null
): Buffer {
  const out = takeWriter()
  for (let i = 0; i < values.length; i++) {
    const value = values[i]
    // Relative to the start of the key, which may move to a larger buffer.
    const from = out.length - out.start
    out.byte(rankOf(value))
    writeBody(out, value, fold)
    if (directions[i] === -1) invert(out.buffer, out.start + from, out.length)
  }
  return finishKey(out)
}

/** Inverts bytes in place, which changes ascending order to descending. */
export function invert(bytes: Uint8Array, start = 0, end = bytes.length): void {
  for (let i = start; i < end; i++) bytes[i] = ~(bytes[i] ?? 0) & 0xff
}
