import { expect, test } from 'vitest'
import { boardAddressOf, parseBoardAddress } from './board-address.ts'

test.each([
  ['192.168.4.1', '192.168.4.1'],
  [' http://192.168.4.1/ ', '192.168.4.1'],
  ['10.0.0.7:8080', '10.0.0.7:8080'],
  ['172.31.255.1', '172.31.255.1'],
  ['169.254.10.1', '169.254.10.1'],
  ['127.0.0.1:53081', '127.0.0.1:53081'],
  ['localhost:81', 'localhost:81'],
  ['batti-0c51e2.local', 'batti-0c51e2.local'],
  ['[fe80::1]:80', '[fe80::1]'],
  ['[fd12:3456::1]', '[fd12:3456::1]'],
  // Odd spellings of an address in the network are that address.
  ['3232236545', '192.168.4.1']
])('%s is a board’s address', (typed, address) => {
  expect(parseBoardAddress(typed)).toBe(address)
})

test.each([
  '',
  '8.8.8.8',
  '172.32.0.1',
  '192.169.0.1',
  'example.com',
  'evil.local.example.com',
  '192.168.4.1.example.com',
  '134744072',
  'https://192.168.4.1',
  'http://user:pass@192.168.4.1',
  '192.168.4.1@evil.example',
  '192.168.4.1/elsewhere',
  '192.168.4.1?x=1',
  '[2001:db8::1]',
  '[::ffff:8.8.8.8]',
  'javascript:alert(1)',
  'fe80.example.com'
])('%s is refused', (typed) => {
  expect(parseBoardAddress(typed)).toBeNull()
})

test('the page takes a local address from ?board= and its default for anything else', () => {
  expect(boardAddressOf('?board=10.1.2.3:81')).toBe('10.1.2.3:81')
  expect(boardAddressOf('?board=evil.example')).toBe('192.168.4.1')
  expect(boardAddressOf('')).toBe('192.168.4.1')
})
