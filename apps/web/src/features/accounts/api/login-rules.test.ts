import { expect, test } from 'vitest'
import { loginFault, loginPayload, looksLikePhone } from './login-rules.ts'

const input = { identifier: 'sita@example.com', countryCode: '+977', password: 'secret' }

test.each(['981', '98123', '9812345678', ' 9812345678 ', '९८१२', '984-12', '(984) 123'])(
  '“%s” looks like a phone number',
  (identifier) => {
    expect(looksLikePhone(identifier)).toBe(true)
  }
)
test.each(['', '9', '98', 'sita', '9812345678a', '98123456789', '123@example.com', '+977 98412'])(
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
  [{ ...input, identifier: '+977 984123456' }, 'login.identifierInvalid'],
  [{ ...input, identifier: '+33 9841234567' }, 'login.identifierInvalid'],
  [{ ...input, password: '12345' }, 'login.passwordShort'],
  [input, null],
  [{ ...input, identifier: '9812345678' }, null]
])('%j is answered with %s', (typed, fault) => {
  expect(loginFault(typed)).toBe(fault)
})

test.each([
  ['98412 34567', '+9779841234567'],
  ['984-1234567', '+9779841234567'],
  ['(984) 123-4567', '+9779841234567'],
  ['९८४१२ ३४५६७', '+9779841234567'],
  ['+977 9841234567', '+9779841234567'],
  ['+९७७-९८४१२३४५६७', '+9779841234567'],
  ['+91 98412 34567', '+919841234567']
])('the phone %s is sent as %s', (identifier, phone) => {
  expect(loginFault({ ...input, identifier })).toBeNull()
  expect(loginPayload({ ...input, identifier })).toEqual({ phone, password: 'secret' })
})

test('a phone is sent with its country code, an e-mail unchanged', () => {
  expect(loginPayload({ ...input, identifier: '9812345678', countryCode: '+91' })).toEqual({
    phone: '+919812345678',
    password: 'secret'
  })
  expect(loginPayload({ ...input, identifier: '९८१२३४५६७८' })).toMatchObject({ phone: '+9779812345678' })
  expect(loginPayload(input)).toEqual({ email: 'sita@example.com', password: 'secret' })
})
