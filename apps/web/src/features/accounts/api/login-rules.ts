import { latinDigits, loginPasswordMinLength } from '@batti/contracts'

export interface LoginInput {
  /** An e-mail or ten digits, as typed. */
  identifier: string
  countryCode: string
  password: string
}

export const emailShape = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

export const isPhone = (identifier: string) => /^\d{10}$/.test(latinDigits(identifier.trim()))
/** While typing: enough digits and nothing else, so that the country codes are worth showing. */
export const looksLikePhone = (identifier: string) => /^\d{3,10}$/.test(latinDigits(identifier.trim()))

/** The first fault of a login form in the words of docs/rules.md, or null. */
export function loginFault({
  identifier,
  password
}: LoginInput): 'login.identifierRequired' | 'login.identifierInvalid' | 'login.passwordShort' | null {
  const trimmed = identifier.trim()
  if (trimmed === '') return 'login.identifierRequired'
  if (!isPhone(trimmed) && !emailShape.test(trimmed)) return 'login.identifierInvalid'
  if (password.length < loginPasswordMinLength) return 'login.passwordShort'
  return null
}

/** What is sent: the e-mail, or the country code joined to the ten digits. */
export function loginPayload({ identifier, countryCode, password }: LoginInput): {
  password: string
  email?: string
  phone?: string
} {
  const trimmed = identifier.trim()
  return isPhone(trimmed) ? { phone: countryCode + latinDigits(trimmed), password } : { email: trimmed, password }
}
