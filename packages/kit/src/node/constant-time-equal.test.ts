import { expect, test } from 'vitest'
import { constantTimeEqual } from './constant-time-equal.ts'

test('secrets are compared in all bytes', () => {
  expect(constantTimeEqual('a secret', 'a secret')).toBe(true)
  expect(constantTimeEqual('a secret', Buffer.from('a secret'))).toBe(true)
  for (const given of ['', 'a secreT', 'a secret ', 'ä secret'])
    expect(constantTimeEqual(given, 'a secret')).toBe(false)
})
