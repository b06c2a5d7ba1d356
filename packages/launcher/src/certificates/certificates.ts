import { dayMs, hourMs } from '@batti/kit/durations'
import { X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import type { Timers } from '@batti/kit/clock'
import { messageOf } from '@batti/kit/message-of'
import { makeFolder } from '@batti/kit/node/folders'
import { ensureAuthorities, lastsUntil } from './authorities.ts'
import { certificateIn, certificatePaths, ifClockWasAhead, isPair, withoutCa } from './certificate-files.ts'
import { generate, type MadeCertificate } from './generate-certificate.ts'
import { LaunchError } from '../launch-error.ts'
import { readIfThere, writePrivateFile } from '../data/private-file.ts'

export interface CertificateFiles {
  caFile: string
  certFile: string
  keyFile: string
}

const certificateDays = 820
/** When Node 24 appeared. A clock before that is wrong: many small machines begin in 1970, until they know the time. */
const earliestNow = Date.UTC(2025, 4, 6)
/** Earlier than the 21 days at which the broker warns of an expiring certificate. */
const renewBeforeMs = 30 * dayMs
const lookEveryMs = hourMs

/** The names that boards and browsers on this machine use; `--lan` adds its addresses in the local network. */
const ownNames = ['localhost', '127.0.0.1', '::1']

/**
 * Ensures the broker's certificate (ECDSA P-256) and the development CA that signed it, both kept in `folder`. Makes a new
 * certificate when the present one is unusable, expires within 30 days, or lacks one of `addresses`. The CA stays as long
 * as possible, because boards have pinned it; its rollover is in steps (`ensureAuthorities`).
 * @throws LaunchError when a CA is damaged, when its key is lost and the certificate is unusable, or when a first CA would
 * have expired once the clock is right.
 */
export async function ensureCertificates(parts: {
  folder: string
  addresses: readonly string[]
  now: number
}): Promise<CertificateFiles & { made: boolean }> {
  const { folder, addresses, now } = parts
  makeFolder(folder)
  const paths = certificatePaths(folder)
  const files = { caFile: paths.ca, certFile: paths.cert, keyFile: paths.key }
  const names = [...new Set([...ownNames, ...addresses])]
  if (readIfThere(paths.ca) === null) refuseUnsetClock(now)
  const { cert: caCert, key: caKey } = await ensureAuthorities(folder, now)
  const found = certificateIn(readIfThere(paths.cert))
  const isUsable =
    found !== null && isPair(found, readIfThere(paths.key)) && isAccepted(found, new X509Certificate(caCert), now)
  if (isUsable && isLasting(found, names, now)) return { ...files, made: false }
  if (caKey === null) {
    // A certificate that lacks a name or expires soon is better than no home.
    if (isUsable) return { ...files, made: false }
    throw new LaunchError(
      `${paths.caKey} is missing or damaged, and the certificate of the broker must be made anew. ${withoutCa(folder)}`
    )
  }
  const made = await makeCertificate({ cert: caCert, key: caKey }, names, now)
  writePrivateFile(paths.key, made.private)
  writePrivateFile(paths.cert, made.cert)
  return { ...files, made: true }
}

function refuseUnsetClock(now: number): void {
  if (now < earliestNow)
    throw new LaunchError(
      `The clock of this machine says ${new Date(now).toISOString().slice(0, 10)}, so it is wrong, and certificates that are ` +
        'made now would be of no use later: set it, or wait until it is set by the network, and start again.'
    )
}

function makeCertificate(
  ca: { cert: string; key: string },
  names: readonly string[],
  now: number
): Promise<MadeCertificate> {
  return generate([{ name: 'commonName', value: 'Batti broker' }], {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    notBeforeDate: new Date(now - dayMs),
    notAfterDate: new Date(Math.min(now + certificateDays * dayMs, lastsUntil(ca.cert))),
    ca,
    extensions: [
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'keyUsage', digitalSignature: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: names.map((name) => (isIP(name) === 0 ? { type: 2, value: name } : { type: 7, ip: name }))
      }
    ]
  })
}

/** Whether boards accept the certificate. */
const isAccepted = (cert: X509Certificate, ca: X509Certificate, now: number): boolean =>
  cert.verify(ca.publicKey) && cert.validToDate.getTime() > now && !isAheadOf(now, cert, ca)

const isLasting = (cert: X509Certificate, names: readonly string[], now: number): boolean =>
  cert.validToDate.getTime() > now + renewBeforeMs &&
  names.every((name) => (isIP(name) === 0 ? cert.checkHost(name) : cert.checkIP(name)) !== undefined)

/** Whether the certificate is not valid yet, but its CA is. If neither is, the clock is slow, as before the first time sync. */
const isAheadOf = (now: number, cert: X509Certificate, ca: X509Certificate): boolean =>
  cert.validFromDate.getTime() > now && ca.validFromDate.getTime() <= now

/** Returns warnings about faults of the CA that are not repaired automatically, because that would cut off every board. */
export function warningsOfCa(folder: string, now: number): string[] {
  const paths = certificatePaths(folder)
  const ca = certificateIn(readIfThere(paths.ca))
  if (ca === null) return []
  const warnings: string[] = []
  if (ca.validFromDate.getTime() > now)
    warnings.push(
      `The certificates are valid from ${ca.validFromDate.toISOString().slice(0, 10)} on: the clock of this machine is behind, or ` +
        `was ahead. ${ifClockWasAhead(folder)}`
    )
  if (!isPair(ca, readIfThere(paths.caKey)))
    warnings.push(
      `${paths.caKey} is missing or damaged: no certificate can be made when the one in use ends. Put it back from a backup.`
    )
  return warnings
}

/** Checks every hour, because the clock may be set at any time. Broker and api reload the files. Returns a stop function. */
export function renewInTime(parts: {
  clock: Timers
  folder: string
  addresses: readonly string[]
  say(line: string): void
}): () => void {
  const { clock, folder, addresses, say } = parts
  let saidWhy = ''
  const look = async (): Promise<void> => {
    try {
      const { made } = await ensureCertificates({ folder, addresses, now: clock.now() })
      if (made) say('The certificate of the broker was near its end, or could not be used: it has a new one.')
      saidWhy = ''
    } catch (error) {
      const why = messageOf(error)
      if (why !== saidWhy) say(`The certificate of the broker could not be renewed: ${why}`)
      saidWhy = why
    }
    cancel = clock.after(lookEveryMs, () => void look())
  }
  let cancel = clock.after(lookEveryMs, () => void look())
  return () => cancel()
}
