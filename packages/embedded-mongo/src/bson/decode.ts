import { Binary, BSONRegExp, BSONSymbol, Code, DBRef, Decimal128, Double, Long, MaxKey, MinKey, Timestamp } from 'bson'
import { MongoError } from '../errors.ts'
import { setField, type Document } from './document.ts'
import { copyOf, invalid, openReader, readCString, readObjectId, readString, take, type Reader } from './reader.ts'

/** MongoDB's own limit of nesting, which also prevents a stack overflow of this recursive reader. */
const MAX_DEPTH = 200
/** The code of MongoDB's error `Overflow`. */
export const TOO_DEEP = 15

const DIGIT_0 = 0x30
const DIGIT_9 = 0x39
const OLD_BINARY = 2
const VECTOR = 9

/**
 * Reads one document from the beginning of `bytes`. A later write keeps its types (see `Document`).
 * Throws InvalidBSON for inconsistent lengths, terminators or types.
 */
export const decodeDocument = (bytes: Uint8Array): Document => readDocument(openReader(bytes, false), 4, 0)

/** Reads only the given fields of a document, for tests that need few of many. */
export function decodeFields(bytes: Uint8Array, wanted: ReadonlySet<string>): Document {
  const reader = openReader(bytes, false)
  const document: Document = {}
  reader.at = 4
  reader.end -= 1
  while (reader.at < reader.end) {
    const type = reader.buffer[reader.at++] ?? 0
    const name = readCString(reader)
    if (wanted.has(name)) setField(document, name, readValue(reader, type, 0))
    else skipValue(reader, type)
  }
  return document
}

/** Reads one document. `exact` is true when `encodeDocument` would write identical bytes. */
export function decodeExactly(bytes: Uint8Array): { document: Document; exact: boolean } {
  const reader = openReader(bytes, true)
  const document = readDocument(reader, 4, 0)
  return { document, exact: reader.exact && reader.at === bytes.length }
}

/** Reads the fields from `start` to `reader.end`, which is after the document's last byte. */
function readDocument(reader: Reader, start: number, depth: number): Document {
  if (depth > MAX_DEPTH) throw new MongoError(TOO_DEEP, `BSONObj exceeded maximum nested object depth: ${MAX_DEPTH}`)
  const { buffer, end: after } = reader
  const document: Document = {}
  let fields = 0
  reader.at = start
  reader.end = after - 1
  if (buffer[reader.end] !== 0) throw invalid('document does not end with a zero byte')
  while (reader.at < reader.end) {
    const type = buffer[reader.at++] ?? 0
    const name = readCString(reader)
    const value = readValue(reader, type, depth)
    if (name === '__proto__') setField(document, name, value)
    else document[name] = value
    if (reader.exact && isUnusual(name)) reader.exact = false
    fields++
  }
  if (reader.at !== reader.end) throw invalid('a field runs over the end of its document')
  // Of two fields with the same name only the last is kept.
  if (reader.exact && Object.keys(document).length !== fields) reader.exact = false
  reader.at = after
  return document
}

/** Tells whether a name needs special care: JavaScript moves numeric names first; `_bsontype` makes bson's writer throw. */
function isUnusual(name: string): boolean {
  const first = name.charCodeAt(0)
  return (first >= DIGIT_0 && first <= DIGIT_9) || name === '_bsontype' || name === '__proto__'
}

function readArray(reader: Reader, start: number, depth: number): unknown[] {
  if (depth > MAX_DEPTH) throw new MongoError(TOO_DEEP, `BSONObj exceeded maximum nested object depth: ${MAX_DEPTH}`)
  const { buffer, end: after } = reader
  const array: unknown[] = []
  reader.at = start
  reader.end = after - 1
  if (buffer[reader.end] !== 0) throw invalid('array does not end with a zero byte')
  while (reader.at < reader.end) {
    const type = buffer[reader.at++] ?? 0
    const name = reader.at
    while (buffer[reader.at] !== 0 && reader.at < reader.end) reader.at++
    if (reader.exact && !isPosition(buffer, name, reader.at, array.length)) reader.exact = false
    reader.at++
    array.push(readValue(reader, type, depth))
  }
  if (reader.at !== reader.end) throw invalid('an element runs over the end of its array')
  reader.at = after
  return array
}

/** Tells whether the text from `start` to `end` is `position` in decimal digits. */
function isPosition(buffer: Buffer, start: number, end: number, position: number): boolean {
  let rest = position
  let at = end
  do {
    at--
    if (at < start || buffer[at] !== DIGIT_0 + (rest % 10)) return false
    rest = Math.floor(rest / 10)
  } while (rest > 0)
  return at === start
}

/** Reads a nested document or array, whose length is at the reader's position. */
function readNested<T>(reader: Reader, depth: number, read: (reader: Reader, start: number, depth: number) => T): T {
  const { at, end } = reader
  if (at + 4 > end) throw invalid('a document length is cut off')
  const size = reader.buffer.readInt32LE(at)
  if (size < 5) throw invalid(`document length ${size}`)
  take(reader, size)
  reader.end = at + size
  const value = read(reader, at + 4, depth + 1)
  reader.end = end
  return value
}

function readValue(reader: Reader, type: number, depth: number): unknown {
  const { buffer } = reader
  switch (type) {
    case 0x01: {
      const value = buffer.readDoubleLE(take(reader, 8))
      // JavaScript does not keep the payload bits of a NaN.
      if (Number.isNaN(value)) reader.exact = false
      return (value | 0) === value && !Object.is(value, -0) ? new Double(value) : value
    }
    case 0x02:
      return readString(reader)
    case 0x03:
      return readNested(reader, depth, readDocument)
    case 0x04:
      return readNested(reader, depth, readArray)
    case 0x05:
      return readBinary(reader)
    case 0x07:
      return readObjectId(reader)
    case 0x08: {
      const byte = buffer[take(reader, 1)] ?? 0
      if (byte > 1) reader.exact = false
      return byte === 1
    }
    case 0x09: {
      const at = take(reader, 8)
      const date = new Date(buffer.readInt32LE(at + 4) * 4294967296 + buffer.readUInt32LE(at))
      // A JavaScript date cannot be after the year 275760.
      if (reader.exact && Number.isNaN(date.getTime())) reader.exact = false
      return date
    }
    case 0x0a:
      return null
    case 0x10:
      return buffer.readInt32LE(take(reader, 4))
    case 0x12: {
      const at = take(reader, 8)
      return new Long(buffer.readInt32LE(at), buffer.readInt32LE(at + 4))
    }
    default:
      // Some rare types are written differently: `undefined` as null, a DBPointer as a document, regex options sorted.
      reader.exact = false
      return readRare(reader, type, depth)
  }
}

/** Size of a value in bytes. For types that begin with their length: the bytes that this length does not include. */
const fixedSize: ReadonlyMap<number, number> = new Map([
  [0x01, 8],
  [0x06, 0],
  [0x07, 12],
  [0x08, 1],
  [0x09, 8],
  [0x0a, 0],
  [0x10, 4],
  [0x11, 8],
  [0x12, 8],
  [0x13, 16],
  [0x7f, 0],
  [0xff, 0]
])
const besideLength: ReadonlyMap<number, number> = new Map([
  [0x02, 4],
  [0x03, 0],
  [0x04, 0],
  [0x05, 5],
  [0x0d, 4],
  [0x0e, 4],
  [0x0f, 0]
])

function skipValue(reader: Reader, type: number): void {
  const size = fixedSize.get(type)
  if (size !== undefined) {
    take(reader, size)
    return
  }
  const beside = besideLength.get(type)
  if (beside === undefined) readValue(reader, type, 0)
  else if (reader.at + 4 > reader.end) throw invalid('a length is cut off')
  else take(reader, reader.buffer.readInt32LE(reader.at) + beside)
}

function readRare(reader: Reader, type: number, depth: number): unknown {
  const { buffer } = reader
  switch (type) {
    case 0x06:
      return null
    case 0x0b: {
      const source = readCString(reader)
      const options = readCString(reader)
      if (!/^[ilmsux]*$/.test(options)) throw invalid(`regular expression options ${options}`)
      return new BSONRegExp(source, options)
    }
    case 0x0c: {
      const namespace = readString(reader)
      return new DBRef(namespace, readObjectId(reader))
    }
    case 0x0d:
      return new Code(readString(reader))
    case 0x0e:
      return new BSONSymbol(readString(reader))
    case 0x0f:
      return readNested(reader, depth, readCodeWithScope)
    case 0x11: {
      const at = take(reader, 8)
      return new Timestamp({ i: buffer.readUInt32LE(at), t: buffer.readUInt32LE(at + 4) })
    }
    case 0x13: {
      const at = take(reader, 16)
      return new Decimal128(copyOf(buffer, at, at + 16))
    }
    case 0xff:
      return new MinKey()
    case 0x7f:
      return new MaxKey()
    default:
      throw invalid(`unknown type 0x${type.toString(16)}`)
  }
}

function readCodeWithScope(reader: Reader, start: number, depth: number): Code {
  const after = reader.end
  reader.at = start
  const code = readString(reader)
  // The scope counts as one level deeper than the code, not two.
  const scope = readNested(reader, depth - 1, readDocument)
  reader.at = after
  return new Code(code, scope)
}

function readBinary(reader: Reader): Binary {
  const { buffer } = reader
  const size = buffer.readInt32LE(take(reader, 4))
  const subtype = buffer[take(reader, 1)] ?? 0
  const at = take(reader, size)
  // The writer validates vectors.
  if (subtype === OLD_BINARY || subtype === VECTOR) reader.exact = false
  if (subtype !== OLD_BINARY) return new Binary(copyOf(buffer, at, at + size), subtype)
  // The old binary subtype repeats the length in its data.
  if (size < 4 || buffer.readInt32LE(at) !== size - 4) throw invalid('old binary length')
  return new Binary(copyOf(buffer, at + 4, at + size), subtype)
}
