import { expect, test } from 'vitest'
import { hasKey, searchKeysOf } from './search-keys.ts'

const found = (text: string, searched: string): boolean => {
  const key = JSON.stringify(hasKey('name', searched), (_, value: unknown) =>
    value instanceof RegExp ? value.source : value
  )
  const [, source = ''] = /"searchKeys\.name":"([^"]*)"/.exec(key) ?? []
  return searchKeysOf(text).some((each) => new RegExp(JSON.parse(`"${source}"`) as string).test(each))
}

test.each([
  ['Kitchen lamp', 'itch'],
  ['Kitchen lamp', 'LAMP'],
  ['Kitchen lamp', 'n l'],
  ['सिता को बत्ती', 'को'],
  ['a.b*c', '.b*'],
  ['Lamp 😀 of the hall', '😀 of'],
  ['a very long name of a lamp in the kitchen', 'long name of a lamp in']
])('%j is found by %j', (text, searched) => expect(found(text, searched)).toBe(true))

test.each([
  ['Kitchen lamp', 'lampe'],
  ['Kitchen lamp', '.*'],
  ['Kitchen lamp', 'kitchenlamp']
])('%j is not found by %j', (text, searched) => expect(found(text, searched)).toBe(false))

test('text longer than a key is found too', () => {
  expect(hasKey('name', 'a very long name of a lamp')).toEqual({
    $and: [{ 'searchKeys.name': /^a very long name/ }, { name: /a very long name of a lamp/i }]
  })
})

test('a text has no more keys than characters, none longer than sixteen', () => {
  const keys = searchKeysOf('a very long name of a lamp')
  expect(keys.length).toBeLessThanOrEqual(26)
  expect(Math.max(...keys.map((key) => key.length))).toBe(16)
  expect(searchKeysOf(null)).toEqual([])
})
