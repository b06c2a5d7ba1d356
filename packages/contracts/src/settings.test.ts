import { expect, it } from 'vitest'
import { secret } from './settings.ts'

const random = '5f1d7e0b8c2a49d6b3e871fa60c4d925'

it.each([random, `${random}-password`, `latest-${random}`, 'abcdefgh'.repeat(4)])('takes the secret "%s"', (text) => {
  expect(secret.safeParse(text).success).toBe(true)
})

it.each([
  [undefined, /missing/],
  [random.slice(1), /too short/],
  ['abcdefg'.repeat(5), /repeats a few/],
  [`Change_Me-${random}`, /well-known/],
  [`please-changeme-${random}`, /well-known/],
  [`my-default-secret-${random}`, /well-known/],
  [`secret-secret-${random}`, /well-known/],
  [`password-${random}`, /well-known/],
  [`thingsboard${random}`, /well-known/],
  [`test-${random}`, /well-known/],
  [`an-example-${random}`, /well-known/]
])('refuses the secret "%s"', (text, reason) => {
  expect(secret.safeParse(text).error?.issues.map(({ message }) => message)).toEqual([expect.stringMatching(reason)])
})
