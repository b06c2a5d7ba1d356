import { Binary, BSONRegExp, Decimal128, Double, Long, MaxKey, MinKey, ObjectId, Timestamp } from 'bson'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareValues, identicalValues } from './compare.ts'
import { EMPTY_ARRAY, encodeCompoundKey, encodeKey } from './key.ts'

/** Ascending: the order of the manual, and within each type its own order. */
const ascending: unknown[] = [
  new MinKey(),
  null,
  Number.NaN,
  -Infinity,
  Decimal128.fromString('-1E400'),
  -1.7e308,
  Long.fromString('-9223372036854775808'),
  Long.fromString('-9007199254740993'),
  -9007199254740992,
  -1.5,
  -1,
  Decimal128.fromString('-0.1'),
  -0.05,
  -5e-324,
  0,
  5e-324,
  Decimal128.fromString('0.1'),
  0.1,
  1,
  Decimal128.fromString('1.00000000000000000001'),
  1.5,
  2147483648,
  9007199254740992,
  Long.fromString('9007199254740993'),
  Long.fromString('9007199254740995'),
  Long.fromString('9223372036854775807'),
  9223372036854775808,
  1.7e308,
  Decimal128.fromString('1E400'),
  Infinity,
  '',
  '\0',
  '\0a',
  'a',
  'a\0',
  'aa',
  'b',
  'é',
  '\uffff',
  '😀',
  {},
  { a: 1 },
  { a: 1, b: 1 },
  { a: 2 },
  { b: 1 },
  { a: 'x' },
  [],
  [1],
  [1, 1],
  [2],
  ['x'],
  new Binary(Buffer.from([9]), 0),
  new Binary(Buffer.from([1, 1]), 0),
  new Binary(Buffer.from([1, 1]), 5),
  new ObjectId('000000000000000000000001'),
  new ObjectId('100000000000000000000000'),
  false,
  true,
  new Date(-1),
  new Date(0),
  new Date(8.64e15),
  new Timestamp({ t: 1, i: 2 }),
  new Timestamp({ t: 2, i: 1 }),
  new BSONRegExp('a', ''),
  new BSONRegExp('a', 'i'),
  new BSONRegExp('b', ''),
  new MaxKey()
]

describe('index keys', () => {
  it('sort in the order of BSON', () => {
    for (const [i, a] of ascending.entries()) {
      for (const [j, b] of ascending.entries()) {
        expect({ a, b, order: Buffer.compare(encodeKey(a), encodeKey(b)) }).toEqual({ a, b, order: Math.sign(i - j) })
        expect({ a, b, order: compareValues(a, b) }).toEqual({ a, b, order: Math.sign(i - j) })
      }
    }
  })

  it('are the same for equal numbers, whatever their types', () => {
    const twos = [2, new Double(2), Long.fromNumber(2), Decimal128.fromString('2'), Decimal128.fromString('2.000')]
    expect(new Set(twos.map((two) => encodeKey(two).toString('hex'))).size).toBe(1)
    expect(encodeKey(-0)).toEqual(encodeKey(0))
    expect(encodeKey(undefined)).toEqual(encodeKey(null))
  })

  it('place an empty array below null and above MinKey', () => {
    expect(Buffer.compare(encodeKey(EMPTY_ARRAY), encodeKey(null))).toBe(-1)
    expect(Buffer.compare(encodeKey(EMPTY_ARRAY), encodeKey(new MinKey()))).toBe(1)
  })

  it('order 64-bit integers and doubles by their exact values', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        (long, real) => {
          // Truncation towards zero is exact in BigInt; the remainder decides a tie.
          const whole = BigInt(Math.trunc(real))
          const exact = long === whole ? Math.sign(-(real - Math.trunc(real))) : long < whole ? -1 : 1
          expect(Buffer.compare(encodeKey(Long.fromBigInt(long)), encodeKey(real))).toBe(exact === 0 ? 0 : exact)
        }
      ),
      { numRuns: 2000 }
    )
  })

  it('order strings by their UTF-8 bytes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => {
        const byBytes = Buffer.compare(Buffer.from(a), Buffer.from(b))
        expect(Buffer.compare(encodeKey(a), encodeKey(b))).toBe(byBytes)
        expect(compareValues(a, b)).toBe(byBytes)
      })
    )
  })

  it('are reversed for a descending field, and compound keys do not mix their fields', () => {
    fc.assert(
      fc.property(fc.tuple(fc.string(), fc.integer()), fc.tuple(fc.string(), fc.integer()), ([a, m], [b, n]) => {
        const order = Buffer.compare(encodeCompoundKey([a, m], [-1, 1]), encodeCompoundKey([b, n], [-1, 1]))
        expect(order).toBe(-compareValues(a, b) || Math.sign(m - n))
      })
    )
  })
})

describe('identical values', () => {
  it('distinguish an int from a double of the same value, and zero from minus zero', () => {
    expect(identicalValues(1, new Double(1))).toBe(false)
    expect(identicalValues(0, -0)).toBe(false)
    expect(identicalValues(Number.NaN, Number.NaN)).toBe(true)
    expect(identicalValues({ a: [1, { b: 2 }] }, { a: [1, { b: 2 }] })).toBe(true)
    expect(identicalValues({ a: 1, b: 2 }, { b: 2, a: 1 })).toBe(false)
  })
})
