import type { X509Certificate } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { certificateIn, certificatePaths, certificatesIn, isPair, withoutCa } from '../../certificate-files.ts'
import type { Settings } from '../../config.ts'
import { readIfThere } from '../../private-file.ts'
import type { Fault } from './fault.ts'

const dayMs = 24 * 3_600_000
const warnBeforeDays = 21

/** What to do about a certificate: one that cannot be read, and one that is at its end. */
interface Remedies {
  unreadable: string
  end: string
}

const made = 'Start Batti again: it makes a new one.'
const own = 'Get a new one from whoever issued it, put it in place, and start Batti again.'
const nextAuthority = 'Start Batti again: it makes the next CA, and boards that are online learn it.'

/** Certificates that cannot be read, do not fit together, or are near their end. */
export const certificateFaults = (data: string, ownFiles: Settings['ownCertificate'], now: number): Fault[] =>
  ownFiles === null ? faultsOfMade(join(data, 'certs'), now) : faultsOfOwn(ownFiles, now)

function faultsOfMade(folder: string, now: number): Fault[] {
  const paths = certificatePaths(folder)
  // Nothing was started on this folder yet.
  if (![paths.ca, paths.cert, paths.key].some((path) => existsSync(path))) return []
  const authorities = readIfThere(paths.ca)
  const ca = certificatesIn(authorities) === null ? null : certificateIn(authorities)
  const cert = look(paths.cert)
  const faults = [
    ...dateFaults(cert, paths.cert, { unreadable: made, end: made }, now),
    ...dateFaults(ca, paths.ca, { unreadable: withoutCa(folder), end: nextAuthority }, now)
  ]
  if (cert !== null && ca !== null && !cert.verify(ca.publicKey))
    faults.push({
      what: 'The certificate of the broker does not come from its CA, so that no board trusts it',
      where: paths.cert,
      do: made
    })
  if (ca !== null && !isPair(ca, readIfThere(paths.caKey)))
    faults.push({
      what: 'The key of the CA is missing or damaged, so that no certificate can be made when the one in use ends',
      where: paths.caKey,
      do: 'Put it back from a backup.'
    })
  return faults
}

function faultsOfOwn({ certFile, caFile }: NonNullable<Settings['ownCertificate']>, now: number): Fault[] {
  const remedies = { unreadable: own, end: own }
  return [
    ...dateFaults(look(certFile), certFile, remedies, now),
    ...(caFile === null ? [] : dateFaults(look(caFile), caFile, remedies, now))
  ]
}

/** The first certificate of a file; null where none can be read. */
function look(path: string): X509Certificate | null {
  try {
    return certificateIn(readIfThere(path))
  } catch {
    return null
  }
}

function dateFaults(cert: X509Certificate | null, where: string, remedies: Remedies, now: number): Fault[] {
  if (cert === null) return [{ what: 'The certificate cannot be read', where, do: remedies.unreadable }]
  const days = Math.floor((cert.validToDate.getTime() - now) / dayMs)
  if (days >= warnBeforeDays) return []
  const end = cert.validToDate.toISOString().slice(0, 10)
  const what = days < 0 ? `The certificate ended on ${end}` : `The certificate ends on ${end}`
  return [{ what, where, do: remedies.end }]
}
