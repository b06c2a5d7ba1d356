import { Binary, BSONRegExp, Decimal128, Double, Long, ObjectId, Timestamp } from 'bson'
import { isDocument, typeName } from './document.ts'

/** Formats a value like MongoDB's messages: `{ email: "a@b.c" }`, `ObjectId('...')`. */
export function shellText(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'number')
    return Number.isInteger(value) && Math.abs(value) < 2 ** 31 ? String(value) : doubleText(value)
  if (typeof value === 'boolean') return String(value)
  if (value instanceof ObjectId) return `ObjectId('${value.toHexString()}')`
  if (value instanceof Date) return `new Date(${value.getTime()})`
  if (value instanceof Timestamp) return `Timestamp(${value.t}, ${value.i})`
  if (value instanceof Double) return doubleText(value.value)
  if (value instanceof Long) return value.toString()
  if (value instanceof Decimal128) return `Decimal128("${value.toString()}")`
  if (value instanceof Binary) {
    return value.sub_type === 4
      ? `UUID("${value.toUUID().toHexString()}")`
      : `BinData(${value.sub_type}, ${Buffer.from(value.value()).toString('hex').toUpperCase()})`
  }
  if (Array.isArray(value)) return value.length === 0 ? '[]' : `[ ${value.map(shellText).join(', ')} ]`
  if (isDocument(value)) {
    const fields = Object.entries(value).map(([name, inner]) => `${name}: ${shellText(inner)}`)
    return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`
  }
  return value instanceof BSONRegExp ? `/${value.pattern}/${value.options}` : typeName(value)
}

const doubleText = (value: number): string => (Number.isInteger(value) ? value.toFixed(1) : String(value))
