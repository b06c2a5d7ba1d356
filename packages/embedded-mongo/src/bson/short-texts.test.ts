import { ObjectId, serialize } from 'bson'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeDocument } from './decode.ts'
import { createShortTexts, mixByte } from './short-texts.ts'

const ascii = fc.string({ unit: 'binary-ascii', maxLength: 12 })

describe('the cache of short strings', () => {
  it('never confuses two strings, even when all of them collide', () => {
    const textOf = createShortTexts(2, 8)
    fc.assert(
      fc.property(fc.array(ascii, { maxLength: 20 }), fc.nat(3), (texts, hash) => {
        const bytes = Buffer.from(texts.join(''))
        let at = 0
        for (const text of texts) {
          expect(textOf(bytes, at, at + text.length, hash)).toBe(text)
          at += text.length
        }
      }),
      { numRuns: 1000, examples: [[['ab', 'abc', 'ab', 'ac', 'bc', ''], 0]] }
    )
  })

  it('spreads the field names of an application over its slots', () => {
    const names = Array.from({ length: 500 }, (_, i) => `field${i}`)
    const hashes = names.map((name) => [...Buffer.from(name)].reduce(mixByte, 0))
    expect(new Set(hashes.map((hash) => (hash ^ (hash >>> 15)) & 1023)).size).toBeGreaterThan(350)
  })

  it('returns the right names and values after tens of thousands of other documents', () => {
    for (let i = 0; i < 20_000; i++) {
      const document = { [`name${i}`]: `value${i}`, [`n${i % 7}`]: `${i % 11}`, [`${'x'.repeat(60)}${i}`]: 'é' }
      expect(decodeDocument(serialize(document))).toEqual(document)
    }
  })
})

describe('an ObjectId that was decoded', () => {
  it('shares no memory with its message or with the next one', () => {
    const ids = [new ObjectId(), new ObjectId()]
    const bytes = serialize({ a: ids[0], b: ids[1] })
    const read = decodeDocument(bytes)
    bytes.fill(0)
    expect(read).toEqual({ a: ids[0], b: ids[1] })
  })
})
