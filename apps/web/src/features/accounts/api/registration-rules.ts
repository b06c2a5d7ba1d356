import { emailAddress, latinDigits, passwordMinLength } from '@batti/contracts'
import type { MessageId } from '#web/i18n/message-id.ts'
import { withoutSeparators } from './login-rules.ts'

export interface RegistrationDraft {
  name: string
  countryCode: string
  phone: string
  email: string
  password: string
  address: string
}
export type RegistrationField = Exclude<keyof RegistrationDraft, 'countryCode'>

/** Returns the fault of each invalid field. All five are required; formats are those of the server. */
export function registrationFaults(draft: RegistrationDraft): Partial<Record<RegistrationField, MessageId>> {
  const faults: Partial<Record<RegistrationField, MessageId>> = {}
  for (const field of ['name', 'phone', 'email', 'password', 'address'] as const) {
    if (draft[field].trim() === '') faults[field] = 'register.required'
  }
  if (faults.phone === undefined && !/^\d{10}$/.test(withoutSeparators(latinDigits(draft.phone))))
    faults.phone = 'register.phoneDigits'
  if (faults.email === undefined && !emailAddress.safeParse(draft.email).success) faults.email = 'register.emailShape'
  if (faults.password === undefined && draft.password.length < passwordMinLength)
    faults.password = 'register.passwordLength'
  return faults
}
