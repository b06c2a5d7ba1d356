import { expect, test } from 'vitest'
import { ApiError } from '#web/lib/api/api-error.ts'
import { newPasswordFault, refusedPassword } from './reset-rules.ts'

const refusal = (code: 'VALIDATION' | 'CODE_INVALID', paths: string[]) =>
  new ApiError(code, 'No.', { status: 400, errors: paths.map((path) => ({ path, message: `${path} is wrong` })) })

test('a password of 8 to 256 characters is checked by the server', () => {
  expect(newPasswordFault('a'.repeat(7))).toBe('recovery.passwordLength')
  expect(newPasswordFault('a'.repeat(8))).toBeNull()
  expect(newPasswordFault('a'.repeat(256))).toBeNull()
  expect(newPasswordFault('a'.repeat(257))).toBe('recovery.passwordTooLong')
})

test('only an error about the password alone keeps the form', () => {
  expect(refusedPassword(refusal('VALIDATION', ['newPassword']))).toBe('newPassword is wrong')
  expect(refusedPassword(refusal('VALIDATION', ['newPassword', 'otp']))).toBeNull()
  expect(refusedPassword(refusal('VALIDATION', ['otp']))).toBeNull()
  expect(refusedPassword(refusal('CODE_INVALID', []))).toBeNull()
  expect(refusedPassword(new TypeError('Failed to fetch'))).toBeNull()
})
