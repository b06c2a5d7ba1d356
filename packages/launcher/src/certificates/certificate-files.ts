import { createPrivateKey, X509Certificate } from 'node:crypto'
import { join } from 'node:path'

/** Returns the paths of the launcher's own certificates and keys in their folder. */
export const certificatePaths = (folder: string) => ({
  ca: join(folder, 'ca.pem'),
  caKey: join(folder, 'ca-key.pem'),
  nextCaKey: join(folder, 'ca-next-key.pem'),
  cert: join(folder, 'broker.pem'),
  key: join(folder, 'broker-key.pem')
})

/** Returns the first certificate of a PEM; null when none can be read. */
export function certificateIn(pem: string | null): X509Certificate | null {
  try {
    return new X509Certificate(pem ?? '')
  } catch {
    return null
  }
}

/** Returns each certificate of a PEM; null when there is none, or one of them cannot be read. */
export function certificatesIn(pem: string | null): string[] | null {
  const begun = pem?.match(/-----BEGIN CERTIFICATE-----/g) ?? []
  const whole = pem?.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  const areWhole = whole.length > 0 && whole.length === begun.length
  return areWhole && whole.every((each) => certificateIn(each) !== null) ? whole : null
}

/** Tells whether the key can be read and belongs to the certificate. */
export function isPair(cert: X509Certificate, key: string | null): key is string {
  try {
    return cert.checkPrivateKey(createPrivateKey(key ?? ''))
  } catch {
    return false
  }
}

/** Advice when a CA that boards have pinned is lost. */
export const withoutCa = (folder: string): string =>
  `Put it back from a backup, or remove ${folder}, start again, and pair the boards anew.`

/** Advice when a CA expired without a successor. */
export const ifBoardsWereAway = (folder: string): string =>
  `If nobody was here for years, remove ${folder}, start again, and pair the boards anew.`

/** Advice when a CA is not valid yet. */
export const ifClockWasAhead = (folder: string): string =>
  `If it was ahead when they were made, remove ${folder}, start again, and pair the boards anew.`
