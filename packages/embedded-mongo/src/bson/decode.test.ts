import { Binary, BSONRegExp, Code, Decimal128, deserialize, Double, Long, ObjectId, serialize, Timestamp } from 'bson'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeDocument, decodeFields } from './decode.ts'
import { encodeDocument } from './encode.ts'

const leaf = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
  fc.date({ noInvalidDate: true }),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((value) => Long.fromBigInt(value)),
  fc.integer({ min: -1000, max: 1000 }).map((value) => new Double(value)),
  fc.uint8Array({ maxLength: 20 }).map((bytes) => new Binary(bytes, 0)),
  fc.constant(new ObjectId('0123456789abcdef01234567')),
  fc.constant(Decimal128.fromString('1.50')),
  fc.constant(new Timestamp({ t: 7, i: 8 })),
  fc.constant(new Code('x', { a: 1 }))
)
const name = fc
  .string({ unit: 'binary', maxLength: 8 })
  .map((text) => text.replaceAll('\0', ''))
  .filter((text) => text !== '__proto__')
const { document } = fc.letrec((tie) => ({
  value: fc.oneof({ depthSize: 'small' }, leaf, fc.array(tie('value'), { maxLength: 4 }), tie('document')),
  document: fc.dictionary(name, tie('value'), { maxKeys: 5, noNullPrototype: true })
}))

describe('decoding BSON', () => {
  it('returns the same values for selected fields as for the whole document', () => {
    fc.assert(
      fc.property(document, fc.nat(), (original, pick) => {
        const bytes = serialize(original as object)
        const whole = decodeDocument(bytes)
        const names = Object.keys(whole).filter((_, at) => (pick >> at) % 2 === 1)
        const some = decodeFields(bytes, new Set(names))
        expect(some).toEqual(Object.fromEntries(Object.entries(whole).filter(([field]) => names.includes(field))))
      }),
      { numRuns: 500 }
    )
  })

  it('returns documents that encode to the same bytes again', () => {
    fc.assert(
      fc.property(document, (original) => {
        const bytes = serialize(original as object)
        expect(Buffer.from(encodeDocument(decodeDocument(bytes))).equals(bytes)).toBe(true)
      }),
      { numRuns: 500 }
    )
  })

  it('agrees with the decoder of the bson package', () => {
    const bytes = serialize({ a: 1, b: 'x', c: [1, { d: null }], e: new Date(5), f: 1.5, g: true })
    expect(decodeDocument(bytes)).toEqual(deserialize(bytes))
  })

  it('treats a field called __proto__ as an ordinary field', () => {
    const bytes = serialize(JSON.parse('{"__proto__": {"polluted": 1}, "a": 2}') as object)
    const read = decodeDocument(bytes)
    expect(Object.keys(read)).toEqual(['__proto__', 'a'])
    expect((read as { polluted?: number }).polluted).toBeUndefined()
  })

  it('refuses documents cut at any byte, and never reads beyond the end', () => {
    const bytes = serialize({ a: 'text', b: { c: [1, 2] }, d: new Binary(Buffer.from([1, 2])) })
    for (let length = 0; length < bytes.length; length++) {
      expect(() => decodeDocument(bytes.subarray(0, length))).toThrow(/^Invalid BSON/)
    }
  })

  it('returns a document or throws InvalidBSON for any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
        const framed = Buffer.alloc(bytes.length + 5)
        framed.writeInt32LE(framed.length)
        framed.set(bytes, 4)
        try {
          decodeDocument(framed)
        } catch (error) {
          expect(error).toMatchObject({ code: 22 })
        }
      }),
      { numRuns: 2000 }
    )
  })

  it('throws InvalidBSON for a regular expression with an option that does not exist', () => {
    const bytes = Buffer.from(serialize({ a: new BSONRegExp('lamp', 'i') }))
    bytes[bytes.indexOf('i\0')] = 'g'.charCodeAt(0)
    expect(() => decodeDocument(bytes)).toThrow(expect.objectContaining({ code: 22 }))
  })

  it('refuses nesting deeper than 200 levels', () => {
    let deep: object = {}
    for (let i = 0; i < 250; i++) deep = { a: deep }
    expect(() => decodeDocument(serialize(deep))).toThrow(/nested/)
  })
})
