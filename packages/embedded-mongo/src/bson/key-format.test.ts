import { Double, Long, ObjectId } from 'bson'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { encodeCompoundKey, encodeKey } from './key.ts'

const LAST_MS = 8.64e15

/** Database files contain these bytes: the original format, with one BigInt for the 64 bits of a date. */
function dateKey(date: Date): Buffer {
  const key = Buffer.alloc(9)
  key[0] = 0x5a
  const time = Number.isNaN(date.getTime()) ? 0 : date.getTime()
  key.writeBigUInt64BE(BigInt.asUintN(64, BigInt(time)) ^ (1n << 63n), 1)
  return key
}

function numberKey(value: number): Buffer {
  const key = Buffer.alloc(10)
  key[0] = 0x14
  key[9] = 0x40
  if (Number.isNaN(value)) return key
  key.writeDoubleBE(value === 0 ? 0 : value, 1)
  if (value < 0) for (let i = 1; i < 9; i++) key[i] = ~(key[i] ?? 0) & 0xff
  else key[1] = (key[1] ?? 0) | 0x80
  return key
}

const textKey = (text: string): Buffer =>
  Buffer.from([0x1e, ...[...Buffer.from(text)].flatMap((byte) => (byte === 0 ? [0, 0xff] : [byte])), 0, 0])

const inverted = (key: Buffer): Buffer => Buffer.from(key.map((byte) => ~byte & 0xff))

describe('index keys in database files', () => {
  it('encode a date as its milliseconds in 64 bits, at every limit', () => {
    const edges = [
      0,
      1,
      -1,
      2 ** 31,
      -(2 ** 31),
      2 ** 32 - 1,
      2 ** 32,
      -(2 ** 32),
      2 ** 32 + 1,
      -(2 ** 32) - 1,
      LAST_MS
    ]
    for (const time of [...edges, -LAST_MS, -LAST_MS + 1, LAST_MS - 1, Number.NaN]) {
      const date = new Date(time)
      expect({ time, key: encodeKey(date).toString('hex') }).toEqual({ time, key: dateKey(date).toString('hex') })
    }
    fc.assert(
      fc.property(fc.integer({ min: -LAST_MS, max: LAST_MS }), (time) => {
        expect(encodeKey(new Date(time)).equals(dateKey(new Date(time)))).toBe(true)
      }),
      { numRuns: 2000 }
    )
  })

  it('encode a number as its double in sign and magnitude', () => {
    fc.assert(
      fc.property(fc.double(), (value) => {
        expect(encodeKey(value).equals(numberKey(value))).toBe(true)
        expect(encodeKey(new Double(value)).equals(numberKey(value))).toBe(true)
      }),
      { numRuns: 2000, examples: [[-0], [0], [Number.NaN], [Infinity], [-Infinity], [5e-324], [-5e-324]] }
    )
    expect(encodeKey(Long.fromNumber(-3)).equals(numberKey(-3))).toBe(true)
  })

  it('encode a string as its UTF-8, of any length and content', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 100 }),
      fc.string({ unit: 'binary-ascii', maxLength: 100 }),
      fc.string({ unit: 'grapheme', minLength: 30, maxLength: 50 })
    )
    fc.assert(
      fc.property(text, (value) => {
        expect(encodeKey(value).toString('hex')).toBe(textKey(value).toString('hex'))
      }),
      { numRuns: 2000, examples: [['\ud800'], ['a'.repeat(40)], ['a'.repeat(41)], ['é'.repeat(40)], ['\u007f\u0080']] }
    )
  })

  it('keep their bytes when thousands more are made, very long ones among them', () => {
    const values = Array.from({ length: 3000 }, (_, i): [ObjectId, Date, string] => [
      new ObjectId(i.toString(16).padStart(24, '0')),
      new Date(i * 1e9),
      i % 500 === 0 ? 'é\0'.repeat(5000) : `text ${i}`
    ])
    const keys = values.map((value) => encodeCompoundKey(value, [1, -1, -1]))
    for (const [i, [id, date, text]] of values.entries()) {
      const wanted = [Buffer.from([0x46]), Buffer.from(id.id), inverted(dateKey(date)), inverted(textKey(text))]
      expect(keys[i]?.equals(Buffer.concat(wanted))).toBe(true)
    }
  })

  it('are complete when one is made while another is being made, and after one that failed', () => {
    const inner: Buffer[] = []
    const fold = (text: string): string => {
      inner.push(encodeKey(`inner ${text}`))
      return text.toUpperCase()
    }
    const outer = encodeCompoundKey(['a', 'b'], [1, -1], fold)
    expect(outer.equals(Buffer.concat([textKey('A'), inverted(textKey('B'))]))).toBe(true)
    expect(inner.map(String)).toEqual([textKey('inner a'), textKey('inner b')].map(String))

    const failing = (): string => {
      throw new Error('no fold')
    }
    expect(() => encodeCompoundKey([new Date(5), 'a'], [1, 1], failing)).toThrow('no fold')
    expect(encodeKey(new Date(5)).equals(dateKey(new Date(5)))).toBe(true)
  })
})
