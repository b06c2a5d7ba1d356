import { expect, test } from 'vitest'
import { boardAddressOf } from './board-address.ts'

test('the page takes a local address from ?board= and its default for anything else', () => {
  expect(boardAddressOf('?board=10.1.2.3:81')).toBe('10.1.2.3:81')
  expect(boardAddressOf('?board=evil.example')).toBe('192.168.4.1')
  expect(boardAddressOf('')).toBe('192.168.4.1')
})
