import {
  Binary,
  BSONRegExp,
  BSONSymbol,
  Code,
  Decimal128,
  Double,
  Long,
  MaxKey,
  MinKey,
  ObjectId,
  serialize,
  Timestamp
} from 'bson'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeDocument } from './decode.ts'
import { encodeDocument, encodeStored } from './encode.ts'
import { decodeReceived, receivedBytes } from './received.ts'

/** The type, name and value of a field. */
type Raw = [number, string | Uint8Array, Uint8Array | readonly number[]]

/** A document of the given fields: type, name and the raw bytes of the value. */
function bsonOf(...fields: Raw[]): Buffer {
  const body = fields.map(([type, name, value]) =>
    Buffer.concat([Buffer.from([type]), Buffer.from(name), Buffer.from([0]), Buffer.from(value)])
  )
  const size = Buffer.alloc(4)
  size.writeInt32LE(5 + Buffer.concat(body).length)
  return Buffer.concat([size, ...body, Buffer.from([0])])
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32LE(value)
  return bytes
}
const text = (bytes: Buffer): Buffer => Buffer.concat([int32(bytes.length + 1), bytes, Buffer.from([0])])
const EIGHT_BYTES = fc.uint8Array({ minLength: 8, maxLength: 8 })

const rawName = fc.oneof(
  fc.constantFrom('a', 'b', 'state', '0', '1', '10', '01', '', '__proto__', 'constructor', '$ref', 'é', 'a.b'),
  fc.uint8Array({ maxLength: 5 }).map((bytes) => Buffer.from(bytes.filter((byte) => byte !== 0)))
)
const named = (type: number, value: fc.Arbitrary<Uint8Array | readonly number[]>): fc.Arbitrary<Raw> =>
  fc.tuple(fc.constant(type), rawName, value)
const textBytes = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }).map((value) => text(Buffer.from(value))),
  fc.uint8Array({ maxLength: 40 }).map((value) => text(Buffer.from(value)))
)
const bits = EIGHT_BYTES.map((value) => Buffer.from(value))
const { nested } = fc.letrec<{ field: Raw; nested: Buffer }>((tie) => ({
  field: fc.oneof(
    { depthSize: 'small' },
    named(0x01, fc.oneof(bits, fc.constantFrom([0, 0, 0, 0, 0, 0, 0, 0x80], [0, 0, 0, 0, 0, 0, 0xf0, 0x3f]))),
    named(0x02, textBytes),
    named(
      0x05,
      fc
        .tuple(fc.constantFrom(0, 2, 4, 9, 128), fc.uint8Array({ maxLength: 20 }))
        .map(([subtype, value]) => Buffer.concat([int32(value.length), Buffer.from([subtype]), value]))
    ),
    named(0x06, fc.constant([])),
    named(
      0x07,
      fc.uint8Array({ minLength: 12, maxLength: 12 }).map((value) => Buffer.from(value))
    ),
    named(
      0x08,
      fc.nat(3).map((byte) => [byte])
    ),
    named(0x09, fc.oneof(bits, fc.constant([1, 2, 3, 4, 5, 0, 0, 0]), fc.constant([1, 2, 3, 4, 0xff, 255, 255, 255]))),
    named(0x0a, fc.constant([])),
    named(0x0b, fc.constant(Buffer.from('p\0xi\0'))),
    named(0x0d, textBytes),
    named(0x0e, textBytes),
    named(0x10, fc.integer().map(int32)),
    named(0x11, bits),
    named(0x12, bits),
    named(0xff, fc.constant([])),
    named(0x03, tie('nested')),
    named(0x04, tie('nested')),
    named(
      0x04,
      fc.array(tie('field'), { maxLength: 12 }).map((fields) => {
        const elements = fields.map(([type, , value], i): Raw => [type, String(i), value])
        return bsonOf(...elements)
      })
    )
  ),
  nested: fc.array(tie('field'), { maxLength: 5 }).map((fields) => bsonOf(...fields))
}))

describe('a document received in a message', () => {
  it('is stored as its own bytes only if encoding it returns the same bytes, for any bytes of any type', () => {
    let kept = 0
    fc.assert(
      fc.property(nested, (bytes) => {
        let plain
        try {
          plain = decodeDocument(bytes)
        } catch (error) {
          expect(() => decodeReceived(bytes)).toThrow((error as Error).message)
          return
        }
        const document = decodeReceived(bytes)
        expect(document).toEqual(plain)
        const own = receivedBytes(document)
        if (!own) return
        kept++
        expect(Buffer.from(encodeDocument(document)).toString('hex')).toBe(Buffer.from(own).toString('hex'))
      }),
      { numRuns: 5000 }
    )
    expect(kept).toBeGreaterThan(500)
  })

  it('keeps its bytes if it has only common types', () => {
    const bytes = serialize({
      _id: new ObjectId(),
      text: 'Lämp 😀 1',
      count: 3,
      long: Long.fromString('9007199254740993'),
      real: 1.5,
      whole: new Double(3),
      none: null,
      on: true,
      at: new Date(-5),
      data: new Binary(Buffer.from([1, 2]), 4),
      list: Array.from({ length: 120 }, (_, i) => ({ i })),
      nested: { deep: { er: [] } }
    })
    const document = decodeReceived(bytes)
    expect(receivedBytes(document)).toBe(bytes)
    expect(encodeStored(document, 'inserted')).toBe(bytes)
    expect(Buffer.from(encodeDocument(document)).equals(bytes)).toBe(true)
  })

  const nan = [1, 0, 0, 0, 0, 0, 0xf8, 0x7f]
  const unusual: Record<string, Uint8Array> = {
    'a field twice': bsonOf([0x10, 'a', int32(1)], [0x10, 'a', int32(2)]),
    'a field twice, deep inside': bsonOf([0x04, 'a', bsonOf([0x03, '0', bsonOf([0x0a, 'b', []], [0x0a, 'b', []])])]),
    'a name that is a number': bsonOf([0x0a, 'b', []], [0x0a, '1', []]),
    'the name _bsontype': bsonOf([0x02, '_bsontype', text(Buffer.from('Long'))]),
    undefined: bsonOf([0x06, 'a', []]),
    'a NaN with a payload': bsonOf([0x01, 'a', nan]),
    'a bool of 2': bsonOf([0x08, 'a', [2]]),
    'a date after the year 275760': bsonOf([0x09, 'a', [255, 255, 255, 255, 255, 255, 255, 127]]),
    'text that is no UTF-8': bsonOf([0x02, 'a', text(Buffer.from([0xff]))]),
    'long text that is no UTF-8': bsonOf([0x02, 'a', text(Buffer.alloc(100, 0xc3))]),
    'a name that is no UTF-8': bsonOf([0x0a, Buffer.from([0xc3]), []]),
    'an array that begins at 1': bsonOf([0x04, 'a', bsonOf([0x0a, '1', []])]),
    'an array with 00': bsonOf([0x04, 'a', bsonOf([0x0a, '00', []])]),
    'an array without numbers': bsonOf([0x04, 'a', bsonOf([0x0a, '', []])]),
    'an array with : for 10': bsonOf([
      0x04,
      'a',
      bsonOf(...Array.from({ length: 11 }, (_, i): Raw => [0x0a, i === 10 ? ':' : String(i), []]))
    ]),
    'a regular expression': serialize({ a: new BSONRegExp('p', 'ix') }),
    'a symbol': serialize({ a: new BSONSymbol('s') }),
    code: serialize({ a: new Code('x') }),
    'code with a scope': serialize({ a: new Code('x', { b: 1 }) }),
    'a DBPointer': bsonOf([0x0c, 'a', Buffer.concat([text(Buffer.from('db.c')), Buffer.alloc(12, 7)])]),
    'an old binary': serialize({ a: new Binary(Buffer.from([1]), 2) }),
    'a vector': bsonOf([0x05, 'a', Buffer.concat([int32(2), Buffer.from([9, 3, 0])])]),
    'keys of the edges': serialize({ a: new MinKey(), b: new MaxKey() }),
    'a timestamp': serialize({ a: new Timestamp({ t: 1, i: 2 }) }),
    'a decimal': serialize({ a: Decimal128.fromString('1.50') }),
    'bytes behind its end': Buffer.concat([serialize({ a: 1 }), Buffer.from([0])])
  }
  it.each(Object.entries(unusual))('is encoded again when it contains %s', (_, bytes) => {
    expect(receivedBytes(decodeReceived(bytes))).toBeUndefined()
  })

  it('is encoded again when it is a copy with an added field', () => {
    const document = decodeReceived(serialize({ a: 1 }))
    const copy = { _id: 1, ...document }
    expect(Buffer.from(encodeStored(copy, 'inserted')).equals(Buffer.from(serialize({ _id: 1, a: 1 })))).toBe(true)
  })

  it('is refused when it exceeds the maximum size of a document', () => {
    const bytes = serialize({ a: 'x'.repeat(16 * 1024 * 1024) })
    expect(() => encodeStored(decodeReceived(bytes), 'inserted')).toThrow(/too large/)
  })
})
