import { expect, test } from 'vitest'
import type { Document } from '../bson/document.ts'
import { parseFilter } from '../query/filter.ts'
import { positionalIndex } from './positional.ts'

const options = { expression: () => () => null }
const indexIn = (array: unknown, query: Document): number =>
  positionalIndex(parseFilter(query), 'a', { a: array }, options)

test.each<[string, unknown[], Document, number]>([
  ['the element that a value matches', [1, 2, 3], { a: 2 }, 1],
  ['the element with a field of that value', [{ x: 1 }, { x: 2 }], { 'a.x': 2 }, 1],
  [
    'the element with all fields of $elemMatch',
    [null, { x: 1 }, { x: 1, y: 1 }],
    { a: { $elemMatch: { x: 1, y: 1 } } },
    2
  ],
  ['the value within the bounds of $elemMatch', [5, 1, 9], { a: { $elemMatch: { $gt: 5, $lt: 10 } } }, 2],
  ['the last value of $all', [1, 2, 3], { a: { $all: [3, 2] } }, 1],
  ['no condition on another field', [{ x: 1 }, { x: 2 }], { $and: [{ 'a.x': 1 }, { 'b.x': 2 }] }, 0],
  ['the last of several conditions', [{ x: 1 }, { y: 1 }], { 'a.x': 1, 'a.y': 1 }, 1],
  ['an element that has the field', [{ x: 1 }, { y: 1 }], { 'a.y': { $exists: true } }, 1],
  ['no condition about the whole array', [1, 2], { $and: [{ a: 2 }, { a: { $exists: true } }] }, 1],
  ['no condition about one place', [1, 2], { $and: [{ a: 2 }, { 'a.0': 1 }] }, 1],
  ['no condition that forbids something', [1, 2], { $and: [{ a: 2 }, { a: { $ne: 3 } }] }, 1],
  ['the branch that the document matches', [1, 2, 3], { $or: [{ a: 4 }, { a: 3 }] }, 2]
])('%s decides', (_what, array, query, index) => {
  expect(indexIn(array, query)).toBe(index)
})

test.each<[unknown, Document]>([
  [5, { a: 5 }],
  [[1, 2], { a: { $exists: true } }],
  [[1, 2], { b: null }]
])('in %j, a query %j finds no position', (array, query) => {
  expect(() => indexIn(array, query)).toThrow('The positional operator did not find the match needed from the query.')
})
