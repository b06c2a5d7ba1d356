import { describe, expect, it } from 'vitest'
import type { Document } from '../../bson/document.ts'
import { EMPTY_ARRAY, encodeCompoundKey } from '../../bson/key.ts'
import { indexKeys } from './index-keys.ts'
import { parseIndex } from './index-spec.ts'

/** The expected keys of a document, as lists of values. */
function expectKeys(key: Document, document: Document, values: unknown[][], more: Document = {}): void {
  const index = parseIndex({ key, ...more })
  const hex = (keys: Buffer[]): string[] => keys.map((bytes) => bytes.toString('hex')).toSorted()
  expect(hex(indexKeys(document, index).keys)).toEqual(
    hex(values.map((list) => encodeCompoundKey(list, index.directions)))
  )
}

describe('the index keys of a document', () => {
  it('are its values, null for a missing one', () => {
    expectKeys({ a: 1 }, { a: 5 }, [[5]])
    expectKeys({ a: 1, 'b.c': -1 }, { a: 5, b: { c: 'x' } }, [[5, 'x']])
    expectKeys({ a: 1, b: 1 }, { b: 1 }, [[null, 1]])
    expectKeys({ 'a.b': 1 }, { a: 5 }, [[null]])
  })

  it('are one for each distinct element of an array', () => {
    expectKeys({ a: 1 }, { a: [1, 2, 2] }, [[1], [2]])
    expectKeys({ a: 1, b: 1 }, { a: [1, 2], b: 9 }, [
      [1, 9],
      [2, 9]
    ])
    expectKeys({ 'a.b': 1, 'a.c': 1 }, { a: [{ b: 1, c: 2 }, { b: 3 }] }, [
      [1, 2],
      [3, null]
    ])
    expectKeys({ 'a.b': 1 }, { a: [{ b: [1, 2] }, 5] }, [[1], [2], [null]])
  })

  it('of an empty array are lower than null, of a nested one the array itself', () => {
    expectKeys({ a: 1 }, { a: [] }, [[EMPTY_ARRAY]])
    expectKeys({ 'a.b': 1 }, { a: [] }, [[null]])
    expectKeys({ a: 1 }, { a: [[1, 2]] }, [[[1, 2]]])
  })

  it('follow array positions in a path', () => {
    expectKeys({ 'a.1': 1 }, { a: [5, 6] }, [[6]])
    expectKeys({ 'a.0.b': 1 }, { a: [{ b: 7 }] }, [[7]])
  })

  it('are none in a sparse index if every field is missing', () => {
    expectKeys({ a: 1, b: 1 }, { c: 1 }, [], { sparse: true })
    expectKeys({ a: 1, b: 1 }, { b: 1 }, [[null, 1]], { sparse: true })
    expectKeys({ a: 1 }, { a: null }, [[null]], { sparse: true })
  })

  it('cannot be made from two parallel arrays', () => {
    expect(() => indexKeys({ a: [1], b: [2] }, parseIndex({ key: { a: 1, b: 1 } }))).toThrow(/parallel arrays/)
  })
})
