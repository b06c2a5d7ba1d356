import { domainToASCII, domainToUnicode } from 'node:url'
import { invalid } from '../../platform/app-error.ts'

/**
 * Returns the canonical spelling in which an address is unique: Unicode NFKC, lower case, the domain in IDNA's ASCII
 * form. `Sita@Example.com`, `ｓｉｔａ@example.com` and `sita@EXAMPLE.COM` are one account.
 * Null for an invalid address.
 */
export function emailKeyOf(address: string): string | null {
  const normal = address.normalize('NFKC').trim()
  const at = normal.lastIndexOf('@')
  const local = normal.slice(0, at).toLowerCase().normalize('NFKC')
  const domain = domainToASCII(normal.slice(at + 1).replace(/\.$/, ''))
  if (at < 1 || !domain.includes('.')) return null
  // NFKC can produce characters that the pattern has refused, such as a full-width comma or at sign.
  if (/[\s@<>,;:"()[\]\\]/.test(local) || /[\s@<>,;:"()[\]\\]/.test(domain)) return null
  return `${local}@${domain}`
}

/** Like `emailKeyOf`, for an address from outside. @throws AppError VALIDATION for an invalid address. */
export function givenEmailKey(address: string): string {
  const key = emailKeyOf(address)
  if (key === null) throw invalid('email', 'Please enter an email such as sita@example.com.')
  return key
}

/** Returns an address for display and sending: as typed, in NFKC, with a readable domain in lower case. */
export function displayEmail(address: string): string {
  const normal = address.normalize('NFKC').trim()
  const at = normal.lastIndexOf('@')
  return `${normal.slice(0, at).toLowerCase()}@${domainToUnicode(domainToASCII(normal.slice(at + 1)))}`
}
