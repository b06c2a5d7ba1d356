import { expect, test } from 'vitest'
import { latinDigits } from './digits.ts'
import { forgotPassword, login, register, verifyEmail } from './http/accounts.ts'

test.each([
  ['०१२३४५६७८९', '0123456789'],
  ['+९७७ ९८१२-३४५६७८', '+977 9812-345678'],
  ['９８１２', '9812'],
  ['9812', '9812'],
  ['घर ५', 'घर 5'],
  ['\u202a+977 98‑12–34\u202c', '+977 98-12-34'],
  ['3²', '3²'],
  ['1½', '1½'],
  ['\u200e98\u200b12\ufeff', '9812']
])('“%s” is read as “%s”', (typed, read) => {
  expect(latinDigits(typed)).toBe(read)
})

test('codes and phone numbers may be typed in Nepali digits', () => {
  expect(verifyEmail.body?.parse({ otp: '१२३ ४५६' })).toEqual({ otp: '123456' })
  expect(login.body?.parse({ phone: '+९७७९८१२३४५६७८', password: 'secret' })).toMatchObject({ phone: '+9779812345678' })
  expect(forgotPassword.body?.parse({ phone: '९८१२३४५६७८' })).toEqual({ phone: '9812345678' })
  expect(register.body?.shape.phone.parse('९८१-२३४-५६७८')).toBe('9812345678')
})

test('a phone number may be copied from a list of contacts, with direction marks around it', () => {
  expect(login.body?.parse({ phone: '\u202a+977 981‑2345678\u202c', password: 'secret' })).toMatchObject({
    phone: '+9779812345678'
  })
})
