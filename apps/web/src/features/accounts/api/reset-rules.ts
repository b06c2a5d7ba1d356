import { passwordMaxLength, passwordMinLength } from '@batti/contracts'
import { ApiError } from '#web/lib/api/api-error.ts'

type PasswordFault = 'recovery.passwordLength' | 'recovery.passwordTooLong'

/** What is wrong with a new password as far as the browser can know, or null. */
export function newPasswordFault(password: string): PasswordFault | null {
  if (password.length < passwordMinLength) return 'recovery.passwordLength'
  return password.length > passwordMaxLength ? 'recovery.passwordTooLong' : null
}

/**
 * The server's sentence when it refuses the password alone (a common one, for example): the code is not spent then, so
 * the form stays and says so. Null for every other failure, which leads back to the forgot-password screen.
 */
export function refusedPassword(error: unknown): string | null {
  if (!(error instanceof ApiError) || error.code !== 'VALIDATION') return null
  const [fault, ...others] = error.errors
  return fault?.path === 'newPassword' && others.length === 0 ? fault.message : null
}
