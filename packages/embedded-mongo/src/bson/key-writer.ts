import type { ObjectId } from 'bson'

/** Keys are cut from slabs of this size: making a Buffer of its own for each costs more than filling it. */
const SLAB_BYTES = 8192
/** The longest text that is written unit by unit; for longer ones a native call is faster. */
const SHORT_TEXT = 40

/** The doubles of a key are turned into bytes here. */
const real = new DataView(new ArrayBuffer(8))

/** Writes the bytes of one key after another. */
export class KeyWriter {
  buffer = Buffer.allocUnsafeSlow(SLAB_BYTES)
  /** Where the key begins, and the place behind what was written of it. */
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
  /** UTF-8 with 0x00 escaped as 0x00 0xff, ended by 0x00 0x00: a prefix sorts first. */
  text(value: string): void {
    this.room(value.length * 3 + 2)
    if (!this.shortAscii(value)) this.anyText(value)
    this.buffer[this.length++] = 0
    this.buffer[this.length++] = 0
  }
  /** Writes a short text without a zero; false, and nothing written, when it is something else. */
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
    // A loop over so few bytes is faster than a call of `set`.
    for (let i = 0; i < 12; i++) this.buffer[this.length++] = id[i] ?? 0
  }
  /** A double in sign-and-magnitude order, 8 bytes; NaN is below everything. */
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
  /** Milliseconds as a signed integer of 64 bits with the sign bit turned round; an invalid date is that of 1970. */
  date(value: Date): void {
    const time = value.getTime()
    const whole = Number.isNaN(time) ? 0 : time
    // Two halves: BigInt would make three objects of one date.
    const high = Math.floor(whole / 2 ** 32)
    this.uint32(high ^ 0x80000000)
    this.uint32(whole - high * 2 ** 32)
  }
  uint64(value: bigint): void {
    this.room(8)
    this.buffer.writeBigUInt64BE(value, this.length)
    this.length += 8
  }
  /** The lowest 32 bits of a whole number. */
  uint32(value: number): void {
    this.room(4)
    const { buffer, length } = this
    buffer[length] = value >>> 24
    buffer[length + 1] = value >>> 16
    buffer[length + 2] = value >>> 8
    buffer[length + 3] = value
    this.length += 4
  }
  /** The key that was written; the next one begins behind it. */
  take(): Buffer {
    const key = this.buffer.subarray(this.start, this.length)
    this.start = this.length
    return key
  }
}

/**
 * The writer between two keys. Whoever writes takes it away, so one that is asked for in the middle of a key, or after
 * a value that could not be written, is a new one.
 */
let idle: KeyWriter | null = null

export function takeWriter(): KeyWriter {
  const writer = idle ?? new KeyWriter()
  idle = null
  return writer
}

/** The key that was written, and the writer is idle again. */
export function finishKey(writer: KeyWriter): Buffer {
  const key = writer.take()
  if (writer.buffer.length === SLAB_BYTES) {
    idle = writer
    return key
  }
  // A long key: its roomy buffer goes, for it would outlive the key.
  return Buffer.from(key)
}
