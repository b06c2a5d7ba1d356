import type { ObjectId } from 'bson'

/** Keys are slices of slabs of this size, because allocating a Buffer for each costs more than filling it. */
const SLAB_BYTES = 8192
/** Longer texts are written by a native call, which is then faster than a loop. */
const SHORT_TEXT = 40

/** Converts the doubles of a key to bytes. */
const real = new DataView(new ArrayBuffer(8))

/** Writes the bytes of keys, one after another. */
export class KeyWriter {
  buffer = Buffer.allocUnsafeSlow(SLAB_BYTES)
  /** The beginning of the present key, and the end of its written bytes. */
  start = 0
  length = 0

  room(more: number): void {
    if (this.length + more <= this.buffer.length) return
    const written = this.length - this.start
    const bigger = Buffer.allocUnsafeSlow(Math.max(SLAB_BYTES, (written + more) * 2))
    this.buffer.copy(bigger, 0, this.start, this.length)
    this.buffer = bigger
    this.start = 0
    this.length = written
  }
  byte(value: number): void {
    this.room(1)
    this.buffer[this.length++] = value
  }
  /** Writes UTF-8 with 0x00 escaped as 0x00 0xff, ended by 0x00 0x00, so that a prefix sorts first. */
  text(value: string): void {
    this.room(value.length * 3 + 2)
    if (!this.shortAscii(value)) this.anyText(value)
    this.buffer[this.length++] = 0
    this.buffer[this.length++] = 0
  }
  /** Writes a short ASCII text without zeros. Returns false, and writes nothing, for any other text. */
  shortAscii(value: string): boolean {
    if (value.length > SHORT_TEXT) return false
    const { buffer, length } = this
    for (let i = 0; i < value.length; i++) {
      const unit = value.charCodeAt(i)
      if (unit === 0 || unit > 127) return false
      buffer[length + i] = unit
    }
    this.length += value.length
    return true
  }
  anyText(value: string): void {
    const start = this.length
    this.length += this.buffer.write(value, start)
    if (!value.includes('\0')) return
    const raw = Buffer.from(this.buffer.subarray(start, this.length))
    this.length = start
    for (const byte of raw) {
      this.buffer[this.length++] = byte
      if (byte === 0) this.buffer[this.length++] = 0xff
    }
  }
  bytes(value: Uint8Array): void {
    this.room(value.length)
    this.buffer.set(value, this.length)
    this.length += value.length
  }
  objectId(value: ObjectId): void {
    this.room(12)
    const { id } = value
    // For so few bytes a loop is faster than `set`.
    for (let i = 0; i < 12; i++) this.buffer[this.length++] = id[i] ?? 0
  }
  /** Writes a double as 8 bytes in numeric order; NaN is below everything. */
  double(value: number): void {
    if (Number.isNaN(value)) {
      this.uint32(0)
      this.uint32(0)
      return
    }
    real.setFloat64(0, value === 0 ? 0 : value)
    const high = real.getUint32(0)
    const low = real.getUint32(4)
    this.uint32(value < 0 ? ~high : high | 0x80000000)
    this.uint32(value < 0 ? ~low : low)
  }
  /** Writes milliseconds as a signed 64-bit integer with the sign bit inverted. An invalid date counts as 1970. */
  date(value: Date): void {
    const time = value.getTime()
    const whole = Number.isNaN(time) ? 0 : time
    // Two 32-bit halves, because BigInt would allocate three objects per date.
    const high = Math.floor(whole / 2 ** 32)
    this.uint32(high ^ 0x80000000)
    this.uint32(whole - high * 2 ** 32)
  }
  uint64(value: bigint): void {
    this.room(8)
    this.buffer.writeBigUInt64BE(value, this.length)
    this.length += 8
  }
  /** Writes the lowest 32 bits of an integer. */
  uint32(value: number): void {
    this.room(4)
    const { buffer, length } = this
    buffer[length] = value >>> 24
    buffer[length + 1] = value >>> 16
    buffer[length + 2] = value >>> 8
    buffer[length + 3] = value
    this.length += 4
  }
  /** Returns the written key; the next one begins after it. */
  take(): Buffer {
    const key = this.buffer.subarray(this.start, this.length)
    this.start = this.length
    return key
  }
}

/**
 * The writer while no key is being written. Its user removes it from here, so that nested use, or use after a value that
 * could not be written, gets a new writer.
 */
let idle: KeyWriter | null = null

export function takeWriter(): KeyWriter {
  const writer = idle ?? new KeyWriter()
  idle = null
  return writer
}

/** Returns the written key, and makes the writer idle again. */
export function finishKey(writer: KeyWriter): Buffer {
  const key = writer.take()
  if (writer.buffer.length === SLAB_BYTES) {
    idle = writer
    return key
  }
  // Copy a long key, so that its oversized buffer is not kept alive with it.
  return Buffer.from(key)
}
