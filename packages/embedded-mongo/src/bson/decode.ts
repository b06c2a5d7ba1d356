import {
  Binary,
  BSONRegExp,
  BSONSymbol,
  Code,
  DBRef,
  Decimal128,
  Double,
  Long,
  MaxKey,
  MinKey,
  ObjectId,
  Timestamp
} from 'bson'
import { MongoError } from '../errors.ts'
import { setField, type Document } from './document.ts'

/** MongoDB's own limit of nesting; it also keeps this recursive reader off the end of the stack. */
const MAX_DEPTH = 200

const invalid = (why: string): MongoError => new MongoError(22, `Invalid BSON: ${why}`)

/**
 * Reads one document from `bytes` at `offset`. Types survive a later write (see `Document`).
 * Throws InvalidBSON for anything whose lengths, terminators or types do not add up.
 */
export const decodeDocument = (bytes: Uint8Array, offset = 0): Document => {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (buffer.length < offset + 5) throw invalid('document is shorter than 5 bytes')
  const size = buffer.readInt32LE(offset)
  if (size < 5 || offset + size > buffer.length) throw invalid(`document length ${size} does not fit the buffer`)
  return readDocument(buffer, offset, offset + size, 0)
}

function readDocument(buffer: Buffer, start: number, end: number, depth: number): Document {
  if (depth > MAX_DEPTH) throw new MongoError(15, `BSONObj exceeded maximum nested object depth: ${MAX_DEPTH}`)
  const document: Document = {}
  const reader = { at: start + 4, end: end - 1 }
  if (buffer[reader.end] !== 0) throw invalid('document does not end with a zero byte')
  while (reader.at < reader.end) {
    const type = buffer[reader.at++] ?? 0
    const name = readCString(buffer, reader)
    const value = readValue(buffer, reader, type, depth)
    if (name === '__proto__') setField(document, name, value)
    else document[name] = value
  }
  if (reader.at !== reader.end) throw invalid('a field runs over the end of its document')
  return document
}

function readArray(buffer: Buffer, start: number, end: number, depth: number): unknown[] {
  if (depth > MAX_DEPTH) throw new MongoError(15, `BSONObj exceeded maximum nested object depth: ${MAX_DEPTH}`)
  const array: unknown[] = []
  const reader = { at: start + 4, end: end - 1 }
  if (buffer[reader.end] !== 0) throw invalid('array does not end with a zero byte')
  while (reader.at < reader.end) {
    const type = buffer[reader.at++] ?? 0
    while (buffer[reader.at] !== 0 && reader.at < reader.end) reader.at++
    reader.at++
    array.push(readValue(buffer, reader, type, depth))
  }
  if (reader.at !== reader.end) throw invalid('an element runs over the end of its array')
  return array
}

type Reader = { at: number; end: number }

const take = (reader: Reader, length: number): number => {
  const at = reader.at
  if (length < 0 || at + length > reader.end) throw invalid('a value runs over the end of its document')
  reader.at = at + length
  return at
}

function readCString(buffer: Buffer, reader: Reader): string {
  const start = reader.at
  let at = start
  let ascii = true
  for (; at < reader.end; at++) {
    const byte = buffer[at] ?? 0
    if (byte === 0) break
    if (byte > 127) ascii = false
  }
  if (at >= reader.end) throw invalid('a field name is not terminated')
  reader.at = at + 1
  return ascii ? buffer.toString('latin1', start, at) : buffer.toString('utf8', start, at)
}

function readString(buffer: Buffer, reader: Reader): string {
  const size = buffer.readInt32LE(take(reader, 4))
  if (size < 1) throw invalid(`string length ${size}`)
  const at = take(reader, size)
  if (buffer[at + size - 1] !== 0) throw invalid('a string is not terminated')
  return buffer.toString('utf8', at, at + size - 1)
}

const readSized = (buffer: Buffer, reader: Reader): [number, number] => {
  if (reader.at + 4 > reader.end) throw invalid('a document length is cut off')
  const size = buffer.readInt32LE(reader.at)
  if (size < 5) throw invalid(`document length ${size}`)
  const at = take(reader, size)
  return [at, at + size]
}

function readValue(buffer: Buffer, reader: Reader, type: number, depth: number): unknown {
  switch (type) {
    case 0x01: {
      const value = buffer.readDoubleLE(take(reader, 8))
      return (value | 0) === value && !Object.is(value, -0) ? new Double(value) : value
    }
    case 0x02:
      return readString(buffer, reader)
    case 0x03: {
      const [start, end] = readSized(buffer, reader)
      return readDocument(buffer, start, end, depth + 1)
    }
    case 0x04: {
      const [start, end] = readSized(buffer, reader)
      return readArray(buffer, start, end, depth + 1)
    }
    case 0x05:
      return readBinary(buffer, reader)
    case 0x06:
      return null
    case 0x07: {
      const at = take(reader, 12)
      return new ObjectId(Uint8Array.prototype.slice.call(buffer, at, at + 12))
    }
    case 0x08:
      return buffer[take(reader, 1)] === 1
    case 0x09: {
      const at = take(reader, 8)
      return new Date(buffer.readInt32LE(at + 4) * 4294967296 + buffer.readUInt32LE(at))
    }
    case 0x0a:
      return null
    case 0x0b: {
      const source = readCString(buffer, reader)
      return new BSONRegExp(source, readCString(buffer, reader))
    }
    case 0x0c: {
      const namespace = readString(buffer, reader)
      const at = take(reader, 12)
      return new DBRef(namespace, new ObjectId(Uint8Array.prototype.slice.call(buffer, at, at + 12)))
    }
    case 0x0d:
      return new Code(readString(buffer, reader))
    case 0x0e:
      return new BSONSymbol(readString(buffer, reader))
    case 0x0f: {
      const [start, end] = readSized(buffer, reader)
      const inner = { at: start + 4, end }
      const code = readString(buffer, inner)
      const [scopeStart, scopeEnd] = readSized(buffer, inner)
      return new Code(code, readDocument(buffer, scopeStart, scopeEnd, depth + 1))
    }
    case 0x10:
      return buffer.readInt32LE(take(reader, 4))
    case 0x11: {
      const at = take(reader, 8)
      return new Timestamp({ i: buffer.readUInt32LE(at), t: buffer.readUInt32LE(at + 4) })
    }
    case 0x12: {
      const at = take(reader, 8)
      return new Long(buffer.readInt32LE(at), buffer.readInt32LE(at + 4))
    }
    case 0x13: {
      const at = take(reader, 16)
      return new Decimal128(Uint8Array.prototype.slice.call(buffer, at, at + 16))
    }
    case 0xff:
      return new MinKey()
    case 0x7f:
      return new MaxKey()
    default:
      throw invalid(`unknown type 0x${type.toString(16)}`)
  }
}

function readBinary(buffer: Buffer, reader: Reader): Binary {
  const size = buffer.readInt32LE(take(reader, 4))
  const subtype = buffer[take(reader, 1)] ?? 0
  const at = take(reader, size)
  if (subtype !== 2) return new Binary(Uint8Array.prototype.slice.call(buffer, at, at + size), subtype)
  // The old binary subtype repeats the length inside.
  if (size < 4 || buffer.readInt32LE(at) !== size - 4) throw invalid('old binary length')
  return new Binary(Uint8Array.prototype.slice.call(buffer, at + 4, at + size), subtype)
}
