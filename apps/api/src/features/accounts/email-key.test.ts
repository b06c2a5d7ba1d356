import { expect, test } from 'vitest'
import { displayEmail, emailKeyOf, givenEmailKey } from './email-key.ts'

test.each([
  ['Sita@Example.com', 'sita@example.com'],
  [' sita@EXAMPLE.COM ', 'sita@example.com'],
  ['ｓｉｔａ＠example.com', 'sita@example.com'],
  ['s@example.com', 's@example.com'],
  ['sita@bücher.example', 'sita@xn--bcher-kva.example'],
  ['sita@BÜCHER.example', 'sita@xn--bcher-kva.example'],
  ['sita@XN--BCHER-KVA.example', 'sita@xn--bcher-kva.example'],
  ['sita@example.com.', 'sita@example.com'],
  ['Jose\u0301@example.com', 'jos\u00e9@example.com'],
  ['J\u030c@example.com', '\u01f0@example.com'],
  ['नमस्ते@example.com', 'नमस्ते@example.com']
])('%s belongs to the account %s', (address, key) => {
  expect(emailKeyOf(address)).toBe(key)
})

test('different people stay different', () => {
  const addresses = [
    'sita@example.com',
    'si.ta@example.com',
    'sita+lamp@example.com',
    'sita@example.org',
    'sıta@example.com'
  ]
  expect(new Set(addresses.map(emailKeyOf)).size).toBe(addresses.length)
})

test.each([
  '',
  '@example.com',
  'sita@',
  'sita@localhost',
  'a＠b@c@example.com',
  'sita＜x＞@example.com',
  'sita@ram，example.com',
  'sita@exa mple.com'
])('%j is not an address', (address) => {
  expect(emailKeyOf(address)).toBeNull()
})

test('an address that is none is refused with a sentence for the field', () => {
  expect(givenEmailKey('Sita@example.com')).toBe('sita@example.com')
  expect(() => givenEmailKey('sita@localhost')).toThrow(
    expect.objectContaining({
      code: 'VALIDATION',
      errors: [{ path: 'email', message: 'Please enter an email such as sita@example.com.' }]
    })
  )
})

test('an address is shown readable, in whichever form it was typed', () => {
  expect(displayEmail('Sita@XN--BCHER-KVA.example')).toBe('sita@bücher.example')
  expect(displayEmail(' Ｓｉｔａ＠example.com ')).toBe('sita@example.com')
})
