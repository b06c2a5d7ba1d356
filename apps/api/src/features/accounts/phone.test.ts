import { expect, test } from 'vitest'
import { countryCodeOf, mayReceiveText, toE164 } from './phone.ts'

test.each([
  ['9812345678', undefined, '+9779812345678'],
  ['9812345678', '+91', '+919812345678'],
  ['+9779812345678', undefined, '+9779812345678'],
  ['9779812345678', undefined, '+9779812345678'],
  ['+977 981-234 5678', undefined, '+9779812345678'],
  ['(202) 555-0123', '+1', '+12025550123'],
  ['९८१-२३४-५६७८', undefined, '+9779812345678'],
  ['12025550123', undefined, '+12025550123'],
  ['+447911123456', undefined, '+447911123456']
])('%s with code %s is %s', (text, code, expected) => {
  expect(toE164(text, code)).toBe(expected)
})

test.each([
  '',
  '123',
  '98123456',
  '+8613812345678',
  '+97798123456789',
  '9812345678x',
  '+',
  '٩٨١٢٣٤٥٦٧٨',
  '+9779812345678;drop'
])('%j is not a supported number', (text) => {
  expect(toE164(text)).toBeNull()
})

test('an unsupported country code makes no number', () => {
  expect(toE164('9812345678', '+86')).toBeNull()
})

test('the country code of a number is recognized', () => {
  expect(
    ['+9779812345678', '+12025550123', '+447911123456', '+919812345678', '+61412345678'].map(countryCodeOf)
  ).toEqual(['+977', '+1', '+44', '+91', '+977'])
  expect(countryCodeOf('+610412345678')).toBe('+61')
})

test.each([
  ['+9779841234567', true],
  ['+12025550123', true],
  ['+447911123456', true],
  ['+18765551234', false],
  ['+18095551234', false],
  ['+19005551234', false],
  ['+449098790000', false]
])('a text message to %s: %s', (number, expected) => {
  expect(mayReceiveText(number)).toBe(expected)
})
