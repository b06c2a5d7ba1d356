import { expect, test } from 'vitest'
import { identifyingField, readForgotInput } from './forgot-rules.ts'

test.each([
  ['', 'forgot.required'],
  ['   ', 'forgot.required'],
  ['sita', 'forgot.invalid'],
  ['sita@home', 'forgot.invalid'],
  ['981234567', 'forgot.invalid'],
  ['+1234567890123456', 'forgot.invalid'],
  ['98123x5678', 'forgot.invalid']
])('“%s” is answered with %s', (text, fault) => {
  expect(readForgotInput(text)).toBe(fault)
})

test.each([
  [' sita@example.com ', { type: 'email', value: 'sita@example.com' }],
  ['9812345678', { type: 'phone', value: '9812345678' }],
  ['+9779812345678', { type: 'phone', value: '+9779812345678' }],
  ['+977 981-234 5678', { type: 'phone', value: '+9779812345678' }],
  ['+९७७ ९८१२३४५६७८', { type: 'phone', value: '+9779812345678' }],
  ['123456789012345', { type: 'phone', value: '123456789012345' }]
])('“%s” names an account', (text, request) => {
  expect(readForgotInput(text)).toEqual(request)
})

test('the identifying field is determined by the type and contains the value', () => {
  expect(identifyingField({ type: 'phone', value: '+9779812345678' })).toEqual({ phone: '+9779812345678' })
  expect(identifyingField({ type: 'email', value: 'sita@example.com' })).toEqual({ email: 'sita@example.com' })
})
