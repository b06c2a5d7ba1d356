import { createPrivateKey, X509Certificate } from 'node:crypto'
import { join } from 'node:path'

/** Where the certificates that the launcher makes lie in their folder, with their keys. */
export const certificatePaths = (folder: string) => ({
  ca: join(folder, 'ca.pem'),
  caKey: join(folder, 'ca-key.pem'),
  nextCaKey: join(folder, 'ca-next-key.pem'),
  cert: join(folder, 'broker.pem'),
  key: join(folder, 'broker-key.pem')
})

/** The first certificate of a PEM; null where none can be read. */
export function certificateIn(pem: string | null): X509Certificate | null {
  try {
    return new X509Certificate(pem ?? '')
  } catch {
    return null
  }
}

/** The certificates of a PEM, each by itself; null where there is none, or one of them cannot be read. */
export function certificatesIn(pem: string | null): string[] | null {
  const begun = pem?.match(/-----BEGIN CERTIFICATE-----/g) ?? []
  const whole = pem?.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  const areWhole = whole.length > 0 && whole.length === begun.length
  return areWhole && whole.every((each) => certificateIn(each) !== null) ? whole : null
}

/** Whether the key can be read, and is the one of the certificate. */
export function isPair(cert: X509Certificate, key: string | null): key is string {
  try {
    return cert.checkPrivateKey(createPrivateKey(key ?? ''))
  } catch {
    return false
  }
}

/** What is left to do without a CA that boards have pinned. */
export const withoutCa = (folder: string): string =>
  `Put it back from a backup, or remove ${folder}, start again, and pair the boards anew.`

/** What is left to do about a CA that ended before there was a next one. */
export const ifBoardsWereAway = (folder: string): string =>
  `If nobody was here for years, remove ${folder}, start again, and pair the boards anew.`

/** What is left to do about a CA that is not valid yet. */
export const ifClockWasAhead = (folder: string): string =>
  `If it was ahead when they were made, remove ${folder}, start again, and pair the boards anew.`
