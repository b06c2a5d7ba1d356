import { expect, it } from 'vitest'
import { messageOf } from './message-of.ts'

it('returns the message of an error, and anything else thrown as text', () => {
  expect(messageOf(new TypeError('no number'))).toBe('no number')
  expect(messageOf('a word')).toBe('a word')
  expect(messageOf(undefined)).toBe('undefined')
})
