import { Binary, Decimal128, Double, Long, ObjectId, Timestamp } from 'bson'
import { isDocument, type Document } from '../bson/document.ts'
import { encodeCompoundKey } from '../bson/key.ts'
import { MongoError } from '../errors.ts'
import { pathElements, plainValue, splitPath } from '../query/path.ts'
import type { Index } from './index-spec.ts'

/** A value as MongoDB prints it in messages: `{ email: "a@b.c" }`, `ObjectId('...')`. */
export const shellText = (value: unknown): string => {
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
  return String(value)
}

const doubleText = (value: number): string => (Number.isInteger(value) ? value.toFixed(1) : String(value))

/** The values of `document` that made `key`; for an array, the element that did. */
const valuesOfKey = (document: Document, index: Index, key: Buffer): unknown[] => {
  const candidates = index.fields.map(({ path }) => {
    const plain = plainValue(document, path)
    return Array.isArray(plain) || plain === undefined ? [...pathElements(document, path), plain] : [plain]
  })
  const fold = index.collation?.fold ?? null
  const search = (chosen: unknown[]): unknown[] | null => {
    const options = candidates[chosen.length]
    if (!options) return encodeCompoundKey(chosen, index.directions, fold).equals(key) ? chosen : null
    for (const option of options) {
      const found = search([...chosen, option])
      if (found) return found
    }
    return null
  }
  return search([]) ?? candidates.map((options) => options[0])
}

/** E11000 with MongoDB's text, `keyPattern` and `keyValue`, which mongoose and its plugins read. */
export const duplicateKey = (namespace: string, index: Index, document: Document, key: Buffer): MongoError => {
  const values = valuesOfKey(document, index, key).map((value) => value ?? null)
  const keyValue = Object.fromEntries(index.fields.map(({ path }, i) => [path, values[i]]))
  const collation = index.collation ? ` collation: ${shellText(index.collation.spec)}` : ''
  return new MongoError(
    11000,
    `E11000 duplicate key error collection: ${namespace} index: ${index.name}${collation} dup key: ${shellText(keyValue)}`,
    { details: { keyPattern: index.spec['key'], keyValue } }
  )
}

/** First part of a path: what multikey bookkeeping is about. */
export const topPart = (path: string): string => splitPath(path)[0] ?? ''
