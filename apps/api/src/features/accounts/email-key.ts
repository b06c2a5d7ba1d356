import { domainToASCII, domainToUnicode } from 'node:url'
import { invalid } from '../../platform/app-error.ts'

/**
 * The one spelling under which an address is unique: Unicode form NFKC, lower case, the domain as IDNA writes it in
 * ASCII. `Sita@Example.com`, `ｓｉｔａ@example.com` and `sita@EXAMPLE.COM` are one account.
 * Null for what is not an address after all.
 */
export function emailKeyOf(address: string): string | null {
  const normal = address.normalize('NFKC').trim()
  const at = normal.lastIndexOf('@')
  const local = normal.slice(0, at).toLowerCase().normalize('NFKC')
  const domain = domainToASCII(normal.slice(at + 1).replace(/\.$/, ''))
  if (at < 1 || domain === '' || !domain.includes('.')) return null
  // NFKC can bring in what the shape had refused, such as a full-width comma or at sign.
  if (/[\s@<>,;:"()[\]\\]/.test(local) || /[\s@<>,;:"()[\]\\]/.test(domain)) return null
  return `${local}@${domain}`
}

/** The same, of an address that somebody gave. @throws AppError VALIDATION for what is not an address after all. */
export function givenEmailKey(address: string): string {
  const key = emailKeyOf(address)
  if (key === null) throw invalid('email', 'Please enter an email such as sita@example.com.')
  return key
}

/** How an address is shown and written to: as typed, in NFKC, its domain readable and in lower case. */
export function displayEmail(address: string): string {
  const normal = address.normalize('NFKC').trim()
  const at = normal.lastIndexOf('@')
  return `${normal.slice(0, at).toLowerCase()}@${domainToUnicode(domainToASCII(normal.slice(at + 1)))}`
}
