import { countryCodeList, latinDigits, loginPasswordMinLength } from '@batti/contracts'

export interface LoginInput {
  /** An e-mail or a phone, as typed. */
  identifier: string
  countryCode: string
  password: string
}

export const emailShape = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

/** Removes spaces, hyphens and brackets from a phone number. */
export const withoutSeparators = (text: string): string => text.replace(/[\s()-]/g, '')

/** Returns the digits of a phone number, without separators and without a supported country code before them. */
function readPhone(identifier: string): { digits: string; ownCode: string | null } {
  const plain = withoutSeparators(latinDigits(identifier))
  const ownCode = countryCodeList.find((code) => plain.startsWith(code)) ?? null
  return { digits: plain.slice(ownCode?.length ?? 0), ownCode }
}

const isPhone = (identifier: string) => /^\d{10}$/.test(readPhone(identifier).digits)

/** Returns whether the typed text looks like a phone number, so that the country codes are shown; not if it contains one. */
export function looksLikePhone(identifier: string): boolean {
  const { digits, ownCode } = readPhone(identifier)
  return ownCode === null && /^\d{3,10}$/.test(digits)
}

/** Returns the first fault of a login form, with the texts of docs/rules.md, or null. */
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

/** Returns the body of the call: the e-mail, or the country code with the ten digits. A typed country code wins. */
export function loginPayload({ identifier, countryCode, password }: LoginInput): {
  password: string
  email?: string
  phone?: string
} {
  const trimmed = identifier.trim()
  if (!isPhone(trimmed)) return { email: trimmed, password }
  const { digits, ownCode } = readPhone(trimmed)
  return { phone: (ownCode ?? countryCode) + digits, password }
}
