import { latinDigits } from '@batti/contracts'
import type { ForgotPasswordRequest } from '#web/lib/session/pending-values.ts'
import { emailShape, withoutSeparators } from './login-rules.ts'

/** An optional plus and 10 to 15 digits, after spaces, hyphens and brackets were removed. */
const phoneShape = /^\+?\d{10,15}$/

/** Returns the fault of the input, or the request that is sent and stored as `fp_user`. */
export function readForgotInput(text: string): 'forgot.required' | 'forgot.invalid' | ForgotPasswordRequest {
  const trimmed = text.trim()
  if (trimmed === '') return 'forgot.required'
  if (emailShape.test(trimmed)) return { type: 'email', value: trimmed }
  const phone = withoutSeparators(latinDigits(trimmed))
  return phoneShape.test(phone) ? { type: 'phone', value: phone } : 'forgot.invalid'
}

/** Returns the request's only field, named by its type. */
export function identifyingField({ type, value }: ForgotPasswordRequest): { email: string } | { phone: string } {
  return type === 'email' ? { email: value } : { phone: value }
}
