import { expect, test } from 'vitest'
import { loginFault, loginPayload, looksLikePhone } from './login-rules.ts'

const input = { identifier: 'sita@example.com', countryCode: '+977', password: 'secret' }

test.each(['981', '98123', '9812345678', ' 9812345678 ', '९८१२'])('“%s” looks like a phone number', (identifier) => {
  expect(looksLikePhone(identifier)).toBe(true)
})
test.each(['', '9', '98', 'sita', '9812345678a', '98123456789', '123@example.com'])(
  '“%s” does not look like a phone number',
  (identifier) => {
    expect(looksLikePhone(identifier)).toBe(false)
  }
)

test.each([
  [{ ...input, identifier: ' ' }, 'login.identifierRequired'],
  [{ ...input, identifier: 'sita' }, 'login.identifierInvalid'],
  [{ ...input, identifier: '981234567' }, 'login.identifierInvalid'],
  [{ ...input, identifier: '98123456789' }, 'login.identifierInvalid'],
  [{ ...input, password: '12345' }, 'login.passwordShort'],
  [input, null],
  [{ ...input, identifier: '9812345678' }, null]
])('%j is answered with %s', (typed, fault) => {
  expect(loginFault(typed)).toBe(fault)
})

test('a phone is sent with its country code, an e-mail as it is', () => {
  expect(loginPayload({ ...input, identifier: '9812345678', countryCode: '+91' })).toEqual({
    phone: '+919812345678',
    password: 'secret'
  })
  expect(loginPayload({ ...input, identifier: '९८१२३४५६७८' })).toMatchObject({ phone: '+9779812345678' })
  expect(loginPayload(input)).toEqual({ email: 'sita@example.com', password: 'secret' })
})
