import { expect, test } from 'vitest'
import { ApiError } from '#web/lib/api/api-error.ts'
import { wasCodeSent } from './code-was-sent.ts'

test.each([
  ['TOO_MANY_REQUESTS', 'Please try again after 42 seconds.', true],
  ['TOO_MANY_REQUESTS', 'Please try again after 1 second.', true],
  ['TOO_MANY_REQUESTS', 'Please try again after 3540 seconds.', false],
  ['TOO_MANY_REQUESTS', 'Too many.', false],
  ['UNAVAILABLE', 'Mail cannot be sent right now. Please try again after 5 seconds.', false]
] as const)('%s with “%s” means that a code was sent: %s', (code, message, wasSent) => {
  expect(wasCodeSent(new ApiError(code, message, { status: 429 }))).toBe(wasSent)
  expect(wasCodeSent(new Error(message))).toBe(false)
})
