import { X509Certificate } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Settings } from '../../config.ts'
import { readIfThere } from '../../private-file.ts'
import type { Fault } from './fault.ts'

const dayMs = 24 * 3_600_000
const warnBeforeDays = 21

const renewal = {
  made: 'Start Batti again: it makes a new one.',
  own: 'Get a new one from whoever issued it, put it in place, and start Batti again.',
  authority: 'Start Batti again: it makes the next CA, and boards that are online learn it.'
}

/** Certificates that cannot be read, do not fit together, or are near their end. */
export function certificateFaults(data: string, own: Settings['ownCertificate'], now: number): Fault[] {
  const certFile = own?.certFile ?? join(data, 'certs', 'broker.pem')
  const caFile = own === null ? join(data, 'certs', 'ca.pem') : own.caFile
  // Nothing was started on this folder yet.
  if (own === null && !existsSync(certFile)) return []
  const cert = look(certFile)
  const ca = caFile === null ? null : look(caFile)
  const faults = [
    ...endFaults(cert, certFile, own === null ? renewal.made : renewal.own, now),
    ...(caFile === null ? [] : endFaults(ca, caFile, own === null ? renewal.authority : renewal.own, now))
  ]
  if (cert !== null && ca !== null && own === null && !cert.verify(ca.publicKey))
    faults.push({
      what: 'The certificate of the broker does not come from its CA, so that no board trusts it',
      where: certFile,
      do: renewal.made
    })
  return faults
}

/** The first certificate of a file, or null where none can be read. */
function look(path: string): X509Certificate | null {
  try {
    return new X509Certificate(readIfThere(path) ?? '')
  } catch {
    return null
  }
}

function endFaults(cert: X509Certificate | null, where: string, remedy: string, now: number): Fault[] {
  if (cert === null) return [{ what: 'The certificate cannot be read', where, do: remedy }]
  const days = Math.floor((cert.validToDate.getTime() - now) / dayMs)
  if (days >= warnBeforeDays) return []
  const end = cert.validToDate.toISOString().slice(0, 10)
  return [{ what: days < 0 ? `The certificate ended on ${end}` : `The certificate ends on ${end}`, where, do: remedy }]
}
