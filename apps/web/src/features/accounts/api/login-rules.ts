import { countryCodeList, latinDigits, loginPasswordMinLength } from '@batti/contracts'

export interface LoginInput {
  /** An e-mail or a phone, as typed. */
  identifier: string
  countryCode: string
  password: string
}

export const emailShape = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

/** A phone number without what people part its digits with. */
export const withoutSeparators = (text: string): string => text.replace(/[\s()-]/g, '')

/** What stands of a phone number without what people part its digits with, and without a country code of ours before it. */
function readPhone(identifier: string): { digits: string; ownCode: string | null } {
  const plain = withoutSeparators(latinDigits(identifier))
  const ownCode = countryCodeList.find((code) => plain.startsWith(code)) ?? null
  return { digits: plain.slice(ownCode?.length ?? 0), ownCode }
}

const isPhone = (identifier: string) => /^\d{10}$/.test(readPhone(identifier).digits)

/** While typing: enough digits and nothing else, so that the country codes are worth showing; not where one was typed. */
export function looksLikePhone(identifier: string): boolean {
  const { digits, ownCode } = readPhone(identifier)
  return ownCode === null && /^\d{3,10}$/.test(digits)
}

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

/** What is sent: the e-mail, or the country code joined to the ten digits. One that was typed counts. */
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
