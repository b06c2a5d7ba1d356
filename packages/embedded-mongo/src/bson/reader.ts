import { ObjectId } from 'bson'
import { MongoError } from '../errors.ts'
import { createShortTexts, mixByte } from './short-texts.ts'

/** No result shows what is in these tables, so all readers share them. */
const nameOf = createShortTexts(1024, 40)
const MAX_WORD = 24
const wordOf = createShortTexts(1024, MAX_WORD)

export const invalid = (why: string): MongoError => new MongoError(22, `Invalid BSON: ${why}`)

/** Where the decoder stands in the bytes: one for a document and all that is nested in it. */
export interface Reader {
  buffer: Buffer
  at: number
  /** Where the innermost document ends that is being read. */
  end: number
  /** False from the first thing on that would be written otherwise than it was read; such things are not looked for then. */
  exact: boolean
}

export function openReader(bytes: Uint8Array, exact: boolean): Reader {
  // What comes from the wire is a Buffer already, and needs no second view.
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

/** Most short values are words of the application, such as states, kinds and names. */
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
  // What was no UTF-8 has become U+FFFD.
  if (reader.exact && text.includes('\ufffd')) reader.exact = false
  return text
}

/** An ObjectId packs its bytes into numbers and keeps no view of them: one array serves all, and none is made for each. */
const idBytes = new Uint8Array(12)

export function readObjectId(reader: Reader): ObjectId {
  const at = take(reader, 12)
  for (let i = 0; i < 12; i++) idBytes[i] = reader.buffer[at + i] ?? 0
  return new ObjectId(idBytes)
}

/** Bytes of their own: a view would keep the whole message in memory. */
export const copyOf = (buffer: Buffer, start: number, end: number): Uint8Array =>
  Uint8Array.prototype.slice.call(buffer, start, end)
