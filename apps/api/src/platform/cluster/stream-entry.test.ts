import { expect, it } from 'vitest'
import { entryOf, isEarlier, messagesOf, numberOf, senderOf } from './stream-entry.ts'

it('an entry is read as it was written', () => {
  const entry = entryOf('a', 12, [['tick', null]])
  expect([senderOf(entry), numberOf(entry), messagesOf(entry)]).toEqual(['a', 12, [['tick', null]]])
})

it('a value that looks like the name of a field is none', () => {
  expect(numberOf(entryOf('n', 3, []))).toBe(3)
  expect(senderOf(['x', 'f', 'f', 'a'])).toBe('a')
})

it.each([[null], [[]], [['m', 'no JSON']], [['m', '[["kind"]]']]])('%j has neither sender nor messages', (entry) => {
  expect([senderOf(entry), messagesOf(entry)]).toEqual(['', null])
})

it('ids are compared by their numbers, not as text', () => {
  expect(isEarlier('9-0', '10-0')).toBe(true)
  expect(isEarlier('10-9', '10-10')).toBe(true)
  expect(isEarlier('10-1', '10-1')).toBe(false)
  expect(isEarlier('0-0', '5-0')).toBe(true)
})
