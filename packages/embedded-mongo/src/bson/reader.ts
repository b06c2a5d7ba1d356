import { ObjectId } from 'bson'
import { MongoError } from '../errors.ts'
import { createShortTexts, mixByte } from './short-texts.ts'

/** Caches that all readers share. Their content never affects a result. */
const nameOf = createShortTexts(1024, 40)
const MAX_WORD = 24
const wordOf = createShortTexts(1024, MAX_WORD)

export const invalid = (why: string): MongoError => new MongoError(22, `Invalid BSON: ${why}`)

/** The position of the decoder in the bytes, for a document and everything nested in it. */
export interface Reader {
  buffer: Buffer
  at: number
  /** The end of the innermost document that is being read. */
  end: number
  /** Whether all values so far would be written as they were read. Once false, it is no longer checked. */
  exact: boolean
}

export function openReader(bytes: Uint8Array, exact: boolean): Reader {
  // Bytes from the wire are already a Buffer.
  const buffer = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (buffer.length < 5) throw invalid('document is shorter than 5 bytes')
  const size = buffer.readInt32LE(0)
  if (size < 5 || size > buffer.length) throw invalid(`document length ${size} does not fit the buffer`)
  return { buffer, at: 0, end: size, exact }
}

export function take(reader: Reader, length: number): number {
  const at = reader.at
  if (length < 0 || at + length > reader.end) throw invalid('a value runs over the end of its document')
  reader.at = at + length
  return at
}

export function readCString(reader: Reader): string {
  const { buffer, at: start, end } = reader
  let at = start
  let seen = 0
  let hash = 0
  for (; at < end; at++) {
    const byte = buffer[at] ?? 0
    if (byte === 0) break
    seen |= byte
    hash = mixByte(hash, byte)
  }
  if (at >= end) throw invalid('a field name is not terminated')
  reader.at = at + 1
  return seen > 127 ? readText(reader, start, at) : nameOf(buffer, start, at, hash)
}

export function readString(reader: Reader): string {
  const size = reader.buffer.readInt32LE(take(reader, 4))
  if (size < 1) throw invalid(`string length ${size}`)
  const at = take(reader, size)
  if (reader.buffer[at + size - 1] !== 0) throw invalid('a string is not terminated')
  return size <= MAX_WORD ? readWord(reader, at, at + size - 1) : readText(reader, at, at + size - 1)
}

/** Reads a text through the cache. Most short values are words of the application, such as states, kinds and names. */
function readWord(reader: Reader, start: number, end: number): string {
  const { buffer } = reader
  let seen = 0
  let hash = 0
  for (let at = start; at < end; at++) {
    const byte = buffer[at] ?? 0
    seen |= byte
    hash = mixByte(hash, byte)
  }
  return seen > 127 ? readText(reader, start, end) : wordOf(buffer, start, end, hash)
}

function readText(reader: Reader, start: number, end: number): string {
  const text = reader.buffer.toString('utf8', start, end)
  // Invalid UTF-8 was replaced with U+FFFD.
  if (reader.exact && text.includes('\ufffd')) reader.exact = false
  return text
}

/** Shared by all ObjectIds, which copy their bytes, so that none needs an array of its own. */
const idBytes = new Uint8Array(12)

export function readObjectId(reader: Reader): ObjectId {
  const at = take(reader, 12)
  for (let i = 0; i < 12; i++) idBytes[i] = reader.buffer[at + i] ?? 0
  return new ObjectId(idBytes)
}

/** Copies bytes. A view would keep the whole message in memory. */
export const copyOf = (buffer: Buffer, start: number, end: number): Uint8Array =>
  Uint8Array.prototype.slice.call(buffer, start, end)
