import { expect, test } from 'vitest'
import { isRecord, parseJson } from './json.ts'

test('valid JSON is parsed; other text is undefined', () => {
  expect(parseJson('{"a":[1,null]}')).toEqual({ a: [1, null] })
  expect(parseJson('null')).toBeNull()
  for (const text of ['', '{', '<html>', 'undefined']) expect(parseJson(text)).toBeUndefined()
})

test('a record is an object with named fields', () => {
  expect([{}, { a: 1 }].every(isRecord)).toBe(true)
  expect([null, undefined, [], 'a', 1].some(isRecord)).toBe(false)
})
