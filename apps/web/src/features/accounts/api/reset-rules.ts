import { passwordMaxLength, passwordMinLength } from '@batti/contracts'
import { ApiError } from '#web/lib/api/api-error.ts'

type PasswordFault = 'recovery.passwordLength' | 'recovery.passwordTooLong'

/** Returns the fault of a new password that the browser can detect, or null. */
export function newPasswordFault(password: string): PasswordFault | null {
  if (password.length < passwordMinLength) return 'recovery.passwordLength'
  return password.length > passwordMaxLength ? 'recovery.passwordTooLong' : null
}

/**
 * Returns the server's message if it refused only the password (a common one, for example). The code is still valid
 * then, so the form stays. Null for every other failure, which leads back to the forgot-password screen.
 */
export function refusedPassword(error: unknown): string | null {
  if (!(error instanceof ApiError) || error.code !== 'VALIDATION') return null
  const [fault, ...others] = error.errors
  return fault?.path === 'newPassword' && others.length === 0 ? fault.message : null
}
