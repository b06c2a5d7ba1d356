import { expect, it } from 'vitest'
import { lineText, oneTimeCode } from './http/fields.ts'
import { normalize } from './normalize.ts'

const accented = 'e\u0301'

it('an accent joins its letter, and a text that no field accepts stays as it is', () => {
  expect(normalize(accented, 'NFC')).toBe('é')
  const endless = accented.repeat(2501)
  expect(normalize(endless, 'NFC')).toBe(endless)
})

it('such a text is refused by its length', () => {
  expect(lineText(100).safeParse(accented.repeat(60_000)).success).toBe(false)
  expect(oneTimeCode.safeParse(accented.repeat(60_000)).success).toBe(false)
})
